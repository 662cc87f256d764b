package prose

import (
	"html"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// tagDrawer draws HTML in a text as what was typed. Nothing of it is taken for
// HTML, and nothing is left out either: what a model reads, people see.
type tagDrawer struct{}

// RegisterFuncs says what it draws.
func (tagDrawer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindRawHTML, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		tag, ok := n.(*ast.RawHTML)
		if !ok || !entering {
			return ast.WalkSkipChildren, nil
		}
		typed := string(tag.Segments.Value(source))
		if lineBreak.MatchString(typed) { // the one tag that cells of tables need
			_, err := w.WriteString("<br>")
			return ast.WalkSkipChildren, err
		}
		_, err := w.WriteString(html.EscapeString(typed))
		return ast.WalkSkipChildren, err
	})
	r.Register(ast.KindHTMLBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		block, ok := n.(*ast.HTMLBlock)
		if !ok || !entering {
			return ast.WalkSkipChildren, nil
		}
		_, err := w.WriteString("<p>" + typedLines(block, source) + "</p>\n")
		return ast.WalkSkipChildren, err
	})
}

var lineBreak = regexp.MustCompile(`(?i)^<br\s*/?>$`)

func typedLines(block *ast.HTMLBlock, source []byte) string {
	segments := block.Lines().Sliced(0, block.Lines().Len())
	if block.HasClosure() {
		segments = append(append([]text.Segment{}, segments...), block.ClosureLine)
	}
	var typed strings.Builder
	for _, segment := range segments {
		typed.Write(segment.Value(source))
	}
	return strings.ReplaceAll(html.EscapeString(strings.TrimSpace(typed.String())), "\n", "<br>\n")
}
