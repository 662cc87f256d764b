package prose

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// mention is somebody named in a text, as "@handle".
type mention struct {
	ast.BaseInline
	handle, name string
}

var mentionKind = ast.NewNodeKind("Mention")

// Kind tells mentions from other nodes.
func (*mention) Kind() ast.NodeKind { return mentionKind }

// Dump is for looking at a tree by hand.
func (m *mention) Dump(source []byte, level int) {
	ast.DumpHelper(m, source, level, map[string]string{"handle": m.handle}, nil)
}

// mentionParser finds mentions; code and addresses are not its to read.
type mentionParser struct{}

// Trigger is the byte a mention begins with.
func (mentionParser) Trigger() []byte { return []byte{'@'} }

var handleShape = regexp.MustCompile(`^@([A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*)`)

// Parse reads one mention of somebody who is known.
func (mentionParser) Parse(_ ast.Node, block text.Reader, c parser.Context) ast.Node {
	known, _ := c.Get(knownKey).(func(string) (string, bool))
	before := block.PrecendingCharacter()
	if known == nil || unicode.IsLetter(before) || unicode.IsDigit(before) || before == '_' || before == utf8.RuneError {
		return nil
	}
	line, _ := block.PeekLine()
	m := handleShape.FindSubmatch(line)
	if m == nil {
		return nil
	}
	handle := string(bytes.ToLower(m[1]))
	name, ok := known(handle)
	if !ok {
		return nil
	}
	block.Advance(len(m[0]))
	return &mention{handle: handle, name: name}
}

// mentionDrawer draws mentions.
type mentionDrawer struct{}

// RegisterFuncs says what it draws.
func (mentionDrawer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(mentionKind, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if m, ok := n.(*mention); ok && entering {
			_, err := fmt.Fprintf(w, `<span class="mention" title="%s">@%s</span>`, html.EscapeString(m.name), html.EscapeString(m.handle))
			return ast.WalkSkipChildren, err
		}
		return ast.WalkContinue, nil
	})
}
