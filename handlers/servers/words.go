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
	var word strings.Builder
	inside, quote, escaped := false, rune(0), false
	for _, c := range line {
		switch {
		case escaped:
			word.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			inside, escaped = true, true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			inside, quote = true, c
		case quote == 0 && (c == ' ' || c == '\t'):
			if inside {
				words = append(words, word.String())
			}
			word.Reset()
			inside = false
		default:
			word.WriteRune(c)
			inside = true
		}
	}
	if quote != 0 {
		return nil, false
	}
	if escaped {
		word.WriteByte('\\')
	}
	if inside {
		words = append(words, word.String())
	}
	return words, true
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
