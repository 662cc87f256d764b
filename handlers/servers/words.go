package servers

import (
	"maps"
	"slices"
	"strings"

	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/views/layout"

	view "crewlet/views/servers"
)

// arguments reads the field of arguments: one a line, or a single line split
// as a terminal would. Of several, a line that is wholly in double quotes is
// read without them.
func arguments(text string) ([]string, error) {
	list := lines(text)
	if len(list) != 1 {
		for i, line := range list {
			if words, closed := split(line); closed && len(words) == 1 && inQuotes(line) {
				list[i] = words[0]
			}
		}
		return list, nil
	}
	words, closed := split(list[0])
	if !closed {
		return nil, openQuote("args")
	}
	return words, nil
}

func inQuotes(line string) bool {
	return len(line) > 1 && strings.HasPrefix(line, `"`) && strings.HasSuffix(line, `"`)
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
	return pairsOf(text, "=", "env", "NAME=value")
}

// headers reads Name: value lines.
func headers(text string) (map[string]string, error) {
	return pairsOf(text, ":", "headers", "Name: value")
}

func pairsOf(text, between, field, form string) (map[string]string, error) {
	values := map[string]string{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, value, ok := strings.Cut(line, between)
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			return nil, refusal.Invalid.Say("Line %d is not %s.", n, form).On(field)
		}
		if _, twice := values[name]; twice {
			return nil, refusal.Invalid.Say("%s stands here twice; keep one of them.", name).On(field)
		}
		values[name] = strings.TrimSpace(value)
	}
	return values, nil
}

// crumbs lead back to the servers, and to one of them.
func crumbs(server string) []layout.Crumb {
	list := []layout.Crumb{{Label: "MCP Tools", Href: view.Address}}
	if server != "" {
		list = append(list, layout.Crumb{Label: server, Href: view.ServerAddress(server)})
	}
	return list
}

func openQuote(field string) error {
	return refusal.Invalid.Say("A quote is opened here and not closed. Close it, or write one argument a line.").On(field)
}

// beside puts each sentence about an entry beside the field it came from:
// args[2] and env.TOKEN beside their fields, what has no field of its own
// beside the other settings, the entry as a whole above the form.
func beside(no *refusal.Refusal) map[string]string {
	fields := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(no.Fields)) {
		says := no.Fields[name]
		field, whole := fieldOf(name)
		if !whole {
			says = name + ": " + asWritten(no, name)
		}
		if before := fields[field]; before != "" {
			says = before + " " + says
		}
		fields[field] = says
	}
	return fields
}

// asWritten is what is said of a key as it goes on after the key's name: beside
// a field it begins like a sentence.
func asWritten(no *refusal.Refusal, name string) string {
	problems, _ := no.Details["problems"].([]company.Problem)
	for _, p := range problems {
		if strings.HasSuffix(p.Path, "."+name) {
			return p.Message
		}
	}
	return no.Fields[name]
}

// fieldOf is the field that a key of an entry is typed into, and whether the
// key is that field.
func fieldOf(name string) (field string, whole bool) {
	key := name[:len(name)-len(strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz_"))]
	switch key {
	case "name", "command", "args", "url", "summary", "reach", "include", "exclude", "more", "plain", "to", "text", "if_match":
		return key, true
	case "env", "headers":
		return key, name == key
	case "optional_keys":
		return "optional", true
	case "tools":
		for _, list := range []string{"include", "exclude"} {
			if strings.HasPrefix(name, "tools."+list) {
				return list, true
			}
		}
		return "more", false
	case "entry":
		return "entry", true
	}
	return "more", false
}
