package document

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"
)

var lineOf = regexp.MustCompile(`line (\d+)`)

// syntax is the problem of a text that is not YAML. The strict reader knows
// the place better, so it is asked for one, except about a text so deep that
// reading it again would cost the stack.
func syntax(text []byte, err error) Problem {
	p := Problem{Line: 1, Column: 1, Says: explain(err.Error())}
	if m := lineOf.FindStringSubmatch(err.Error()); m != nil {
		p.Line, _ = strconv.Atoi(m[1])
		p.Line = max(p.Line, 1)
	}
	if strings.Contains(err.Error(), "exceeded max depth") {
		return p
	}
	_, again := parser.ParseBytes(text, 0)
	if at, ok := errors.AsType[yaml.Error](again); ok && at.GetToken() != nil {
		p.Line, p.Column = at.GetToken().Position.Line, at.GetToken().Position.Column
		p.Says = explain(at.GetMessage())
	}
	return p
}

// explain turns a YAML reader's complaint into a sentence. The complaint is
// never passed on: it may quote the text, and a credential with it.
func explain(message string) string {
	for _, known := range []struct{ part, says string }{
		{"\t", "A tab stands where YAML wants spaces. Indent with spaces."},
		{"tab character", "A tab stands where YAML wants spaces. Indent with spaces."},
		{"alias", "An alias (*name) stands here, but no anchor (&name) of that name stands before it."},
		{"unknown anchor", "An alias (*name) stands here, but no anchor (&name) of that name stands before it."},
		{"escape", "A backslash in double quotes begins an escape that YAML does not know. Write \\\\ for a backslash, or use single quotes."},
		{"quoted", "A quote is opened here and never closed. Close it, or take it out."},
		{"reserved character", "A value cannot begin with this character. Put the value in quotes."},
		{"cannot start any token", "A value cannot begin with this character. Put the value in quotes."},
		{"mapping value", "A colon and a space stand inside a value, or a line is indented too far. Put the value in quotes, or line it up with the keys above."},
		{"already defined", "This key stands here for the second time. Keep one of the two."},
		{"',' or '", "A [ or { is opened and not closed before this. Close it, and part its entries with commas."},
		{"' must be specified", "A [ or { is opened and not closed before this. Close it, and part its entries with commas."},
		{"end token", "A [ or { is opened here and never closed. Close it, and part its entries with commas."},
		{"corresponding to", "A ] or } closes what was never opened. Take it out."},
		{"'-' indicator", "A line does not belong to the list above it. Begin it with a dash, or indent it as its key is."},
		{"max depth", "The document is nested too deeply. At most 64 levels are read."},
		{"incompatible YAML", "Take the %YAML line out; the document needs none."},
		{"version", "Take the %YAML line out; the document needs none."},
	} {
		if strings.Contains(message, known.part) {
			return known.says
		}
	}
	return "This is not YAML. Compare its indentation, colons and quotes with the lines above."
}
