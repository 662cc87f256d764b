package tracker

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestMentionsAreFoundInProse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"one":                      {"@ana have a look", []string{"ana"}},
		"two segments":             {"for @first-last and @jane.doe", []string{"first-last", "jane.doe"}},
		"once each":                {"@ana, @ana and @ANA", []string{"ana"}},
		"before punctuation":       {"ask @ana. Or @bob, or (@eve)! \"@joe\"?", []string{"ana", "bob", "eve", "joe"}},
		"a possessive":             {"@ana's and @bob’s", []string{"ana", "bob"}},
		"in emphasis":              {"**@ana** and *@bob* and ~~@eve~~", []string{"ana", "bob", "eve"}},
		"an underscore within":     {"@back_end_lead now", []string{"back_end_lead"}},
		"in a heading and a list":  {"# @ana\n\n- @bob\n- [ ] @eve\n\n> @joe", []string{"ana", "bob", "eve", "joe"}},
		"in a table":               {"| a | b |\n|---|---|\n| @ana | @bob |", []string{"ana", "bob"}},
		"at a line's beginning":    {"hello\n@ana", []string{"ana"}},
		"in a link's words":        {"[@ana](https://example.com/@bob)", []string{"ana"}},
		"other alphabets":          {"@zoë и @борис", []string{"zoë", "борис"}},
		"inline code":              {"`@ana` and ``a ` @bob``", nil},
		"fenced code":              {"```\n@ana\n```\n\n~~~go\n@bob\n~~~", nil},
		"an unclosed fence":        {"```\n@ana\n\n@bob", nil},
		"indented code":            {"text\n\n    @ana", nil},
		"an indented paragraph":    {"text\n    @ana", []string{"ana"}},
		"code in a list":           {"- one\n\n      @ana\n\n- @bob", []string{"bob"}},
		"beside code":              {"`x` @ana", []string{"ana"}},
		"a backtick left open":     {"a ` b @ana", []string{"ana"}},
		"an e-mail address":        {"jo@example.com and <jo@example.com> and mailto:jo@example.com", nil},
		"an address without a dot": {"jo@localhost and ssh git@host:x", nil},
		"an address of the web":    {"https://example.com/@ana and www.example.com/@bob and <https://x.y/@eve>", nil},
		"a package":                {"npm i @scope/name, says @ana", []string{"ana"}},
		"a path":                   {"example.com/@ana and a/@b", nil},
		"behind a backslash":       {`\@ana`, nil},
		"twice":                    {"@@ana and @ana@bob", nil},
		"nothing behind":           {"@ and @. and @-x", nil},
		"raw HTML":                 {"<b title=\"@ana\">@bob</b>", []string{"bob"}},
		"too long to be a name":    {"@" + strings.Repeat("a", 65), nil},
		"no text":                  {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := mentions(c.text); !slices.Equal(got, c.want) {
				t.Errorf("%q mentions %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func FuzzMentions(f *testing.F) {
	for _, text := range []string{
		"@ana `@bob` jo@x.y", "```\n@a\n```", "    @a\n@b", "[@a](b \"@c\")", "\\@a @\x00", "| @a |\n|-|\n", "<@a> &commat;b", "- @a\n\n\t\t@b\n1. `@c", "[@]()00",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range mentions(text) {
			switch {
			case name == "" || len(name) > 2*longestName: // lower case may be longer
				t.Errorf("%q is no name", name)
			case utf8.ValidString(text) && !within(strings.ToLower(text), "@"+name):
				t.Errorf("%q is not in %q", name, text)
			case strings.ContainsAny(name, " \t\n@`"):
				t.Errorf("%q holds what no name does", name)
			}
		}
	})
}

// within reports whether the letters of a name stand in a text in their order:
// between them may be what only makes them bold.
func within(text, name string) bool {
	for _, letter := range name {
		_, rest, ok := strings.Cut(text, string(letter))
		if !ok {
			return false
		}
		text = rest
	}
	return true
}
