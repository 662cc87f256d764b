package tracker

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"crewlet/engine/org"
)

// reader is made once. Bare addresses are links in it, as they are on pages,
// so what stands in one is nobody's name.
var reader = sync.OnceValue(func() parser.Parser {
	return goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()
})

// mentionable is the shape of a handle or a login, as people type it. What
// ends it may be the sentence's own punctuation.
var mentionable = regexp.MustCompile(`^[\pL\pN][\pL\pN._-]*`)

// longestName is how long a handle or a login may be, in bytes.
const longestName = 64

// mentions lists whom a text speaks to, as they were typed and each once:
// names after an @ that stand in prose, not in code, in an address or behind a
// backslash. Whether such a name is anybody's is not asked here.
func mentions(markdown string) []string {
	if !strings.Contains(markdown, "@") {
		return nil
	}
	source := []byte(markdown)
	prose := prose{source: source}
	_ = ast.Walk(reader().Parse(text.NewReader(source)), prose.visit) // visit never fails
	return namesIn(prose.String())
}

// prose gathers what people read as words. A part that is something else
// leaves a blank, so that its neighbours do not grow together.
type prose struct {
	strings.Builder
	source []byte
}

func (p *prose) visit(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		if n.Type() == ast.TypeBlock {
			p.WriteByte('\n')
		}
		return ast.WalkContinue, nil
	}
	switch n := n.(type) {
	case *ast.Text:
		p.Write(n.Value(p.source))
		if n.SoftLineBreak() || n.HardLineBreak() {
			p.WriteByte('\n')
		}
	case *ast.CodeSpan, *ast.AutoLink, *ast.RawHTML, *ast.CodeBlock, *ast.FencedCodeBlock, *ast.HTMLBlock:
		p.WriteByte(' ')
		return ast.WalkSkipChildren, nil
	}
	return ast.WalkContinue, nil
}

// namesIn finds the names in prose.
func namesIn(prose string) []string {
	var found []string
	for at := 0; ; {
		next := strings.IndexByte(prose[at:], '@')
		if next < 0 {
			return found
		}
		at += next + 1
		name := strings.TrimRight(mentionable.FindString(prose[at:]), "._-")
		if name == "" || len(name) > longestName || !begins(prose[:at-1]) || another(prose[at+len(name):]) {
			continue
		}
		if name = strings.ToLower(name); !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
}

// begins reports whether an @ after this text begins a word. In jo@example.com
// and a/@b it does not.
func begins(before string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || unicode.IsSpace(last) || strings.ContainsRune(`([{"'*~_,;:!?>«“‘„—–-`, last)
}

// another reports whether what follows a name makes it something else, such as
// the @scope/package of a registry.
func another(after string) bool {
	if strings.HasPrefix(after, "@") {
		return true
	}
	rest, ok := strings.CutPrefix(after, "/")
	next, _ := utf8.DecodeRuneInString(rest)
	return ok && (unicode.IsLetter(next) || unicode.IsDigit(next))
}

// mentioned lists whom a new description speaks to that the one before it did
// not. Who was named all along may have ceased to watch.
func (e *edit) mentioned() []string {
	if !e.save {
		return nil
	}
	known := mentionedIn(e.dir, e.before)
	return slices.DeleteFunc(mentionedIn(e.dir, e.text), func(party string) bool { return slices.Contains(known, party) })
}

// mentionedIn lists whom a text speaks to, as parties. A word behind an @ that
// is nobody's name, or may be several people's, is just a word.
func mentionedIn(dir *org.Directory, text string) []string {
	var parties []string
	for i, word := range mentions(text) {
		if i == maxWatchers {
			break
		}
		if m, err := dir.Resolve(word, "body"); err == nil && m.Declared && !slices.Contains(parties, m.Party) {
			parties = append(parties, m.Party)
		}
	}
	return parties
}
