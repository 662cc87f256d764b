package prose

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strings"
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

// What a name behind an @ is made of, and what it stands behind. The same is
// read of a text when those it names are told: nobody is shown as told who is
// not.
var nameShape = regexp.MustCompile(`^@([\pL\pN][\pL\pN._-]*)`)

const opens = "([{\"'*~_,;:!?>«“‘„—–-"

// another reports whether what follows a name makes it something else, such as
// the @scope/package of a registry.
func another(after []byte) bool {
	if bytes.HasPrefix(after, []byte("@")) {
		return true
	}
	rest, ok := bytes.CutPrefix(after, []byte("/"))
	next, _ := utf8.DecodeRune(rest)
	return ok && (unicode.IsLetter(next) || unicode.IsDigit(next))
}

// Parse reads one mention of somebody who is known.
func (mentionParser) Parse(_ ast.Node, block text.Reader, c parser.Context) ast.Node {
	known, _ := c.Get(knownKey).(func(string) (string, bool))
	before := block.PrecendingCharacter()
	if known == nil || !unicode.IsSpace(before) && !strings.ContainsRune(opens, before) {
		return nil
	}
	line, _ := block.PeekLine()
	m := nameShape.FindSubmatch(line)
	if m == nil {
		return nil
	}
	typed := bytes.TrimRight(m[1], "._-")
	handle := string(bytes.ToLower(typed))
	name, ok := known(handle)
	if !ok || another(line[len("@")+len(typed):]) {
		return nil
	}
	block.Advance(len("@") + len(typed))
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
