package servers

import (
	"strings"

	"crewlet/engine/refusal"
	"crewlet/views/layout"

	view "crewlet/views/servers"
)

// arguments reads the field of arguments: one a line, or a single line split
// as a terminal would.
func arguments(text string) ([]string, error) {
	var list []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	if len(list) != 1 {
		return list, nil
	}
	words, closed := split(list[0])
	if !closed {
		return nil, openQuote("args")
	}
	return words, nil
}

// split cuts a line at blanks. Quotes, single or double, keep blanks together;
// a backslash outside single quotes keeps the next character as it is.
// Nothing is expanded. An open quote is told.
func split(line string) (words []string, closed bool) {
	var s splitter
	for _, c := range line {
		s.take(c)
	}
	if s.quote != 0 {
		return nil, false
	}
	if s.escaped {
		s.word.WriteByte('\\')
	}
	s.end()
	return s.words, true
}

// splitter is a line half read.
type splitter struct {
	words   []string
	word    strings.Builder
	inside  bool // a word has begun, perhaps an empty one in quotes
	quote   rune // the one that is open, or 0
	escaped bool
}

func (s *splitter) take(c rune) {
	switch {
	case s.escaped:
		s.escaped = false
		s.word.WriteRune(c)
	case c == '\\' && s.quote != '\'':
		s.inside, s.escaped = true, true
	case s.quote != 0:
		s.quoted(c)
	case c == ' ' || c == '\t':
		s.end()
	case c == '\'' || c == '"':
		s.inside, s.quote = true, c
	default:
		s.inside = true
		s.word.WriteRune(c)
	}
}

func (s *splitter) quoted(c rune) {
	if c == s.quote {
		s.quote = 0
		return
	}
	s.word.WriteRune(c)
}

// end closes the word, if one has begun.
func (s *splitter) end() {
	if s.inside {
		s.words = append(s.words, s.word.String())
	}
	s.word.Reset()
	s.inside = false
}

// environment reads NAME=value lines. A value is everything after the first
// equals sign. No sentence repeats a value.
func environment(text string) (map[string]string, error) {
	env := map[string]string{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			return nil, refusal.Invalid.Say("Line %d is not NAME=value.", n).On("env")
		}
		if _, twice := env[name]; twice {
			return nil, refusal.Invalid.Say("%s stands here twice; keep one of them.", name).On("env")
		}
		env[name] = strings.TrimSpace(value)
	}
	return env, nil
}

// crumbs lead back from the form.
func crumbs() []layout.Crumb {
	return []layout.Crumb{{Label: "MCP Tools", Href: view.Address}}
}

func openQuote(field string) error {
	return refusal.Invalid.Say("A quote is opened here and not closed. Close it, or write one argument a line.").On(field)
}
