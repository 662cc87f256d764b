// Package prose draws Markdown that people and agents wrote. What they wrote
// is never trusted: the HTML made of it is sanitised as the last step.
package prose

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/a-h/templ"
	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"crewlet/views/ui"
)

// Text is Markdown and those who may be mentioned in it.
type Text struct {
	Markdown string
	Known    func(handle string) (name string, ok bool) // nil: nobody is
}

// topmost keeps headings of a text below those of the page it stands on: the
// first level of the text is the page's third.
const topmost = 3

// rules are the elements and attributes a text may have. There are no images:
// they would tell another site who reads what.
var rules = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "del",
		"table", "thead", "tbody", "tr", "th", "td")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^mention$`)).OnElements("span")
	p.AllowAttrs("title").Matching(bluemonday.Paragraph).OnElements("span")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto")
	p.AllowRelativeURLs(true)
	p.RequireParseableURLs(true)
	p.RequireNoFollowOnLinks(true)
	p.RequireNoReferrerOnLinks(true)
	return p
})

var knownKey = parser.NewContextKey()

var reader = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify),
		goldmark.WithParserOptions(
			parser.WithInlineParsers(util.Prioritized(mentionParser{}, 150)),
			parser.WithASTTransformers(util.Prioritized(shape{}, 100)),
		),
		goldmark.WithRendererOptions(html.WithHardWraps(), renderer.WithNodeRenderers(util.Prioritized(mentionDrawer{}, 150), util.Prioritized(tagDrawer{}, 150))),
	)
})

// kept are texts that were drawn before: a thread is drawn anew for every word
// that is added to it.
var kept ui.Keeper

// Draw is the text as HTML in a box of its own; its direction is the text's.
func Draw(t Text) templ.Component {
	if strings.Contains(t.Markdown, "@") { // whom it mentions may be known by another name tomorrow
		return fresh(t)
	}
	return kept.Draw(t.Markdown, fresh(t))
}

func fresh(t Text) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var drawn bytes.Buffer
		c := parser.NewContext()
		c.Set(knownKey, t.Known)
		if err := reader().Convert([]byte(t.Markdown), &drawn, parser.WithContext(c)); err != nil {
			return fmt.Errorf("draw Markdown: %w", err)
		}
		if _, err := io.WriteString(w, `<div class="prose-text" dir="auto">`); err != nil {
			return err
		}
		// What scrolls by itself is reached by the keyboard too.
		safe := bytes.ReplaceAll(rules().SanitizeBytes(drawn.Bytes()), []byte("<pre>"), []byte(`<pre tabindex="0">`))
		if _, err := w.Write(safe); err != nil {
			return err
		}
		_, err := io.WriteString(w, "</div>")
		return err
	})
}

// shape lowers headings and makes links of images.
type shape struct{}

// steps are the levels of the headings a text is below, as they were written.
type steps []int

// down goes to the next heading. It is one step below what it is part of,
// however many its author skipped.
func (s *steps) down(written int) int {
	for len(*s) > 0 && (*s)[len(*s)-1] >= written {
		*s = (*s)[:len(*s)-1]
	}
	*s = append(*s, written)
	return min(topmost+len(*s)-1, 6)
}

// Transform walks a text once it is read.
func (shape) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	var images []*ast.Image
	var at steps
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker below fails never
		switch n := n.(type) {
		case *ast.Heading:
			if entering {
				n.Level = at.down(n.Level)
			}
		case *ast.Image:
			if entering {
				images = append(images, n)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, image := range images {
		link := ast.NewLink()
		link.Destination = image.Destination
		for child := image.FirstChild(); child != nil; {
			next := child.NextSibling()
			link.AppendChild(link, child)
			child = next
		}
		if link.FirstChild() == nil {
			link.AppendChild(link, ast.NewString(image.Destination))
		}
		image.Parent().ReplaceChild(image.Parent(), image, link)
	}
}
