package paste

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"crewlet/config/document"
)

func text(to *string) taker {
	return func(_ string, v *value) bool {
		if v.kind != scalar {
			return false
		}
		*to = strings.TrimSpace(v.text)
		return true
	}
}

func texts(to *[]string) taker {
	return func(_ string, v *value) bool {
		all, ok := v.texts()
		if ok {
			*to = append(*to, all...)
		}
		return ok
	}
}

func flag(to *bool) taker {
	return func(_ string, v *value) bool {
		yes, ok := v.boolean()
		if ok {
			*to = yes
		}
		return ok
	}
}

func not(to *bool) taker {
	return func(_ string, v *value) bool {
		yes, ok := v.boolean()
		if ok {
			*to = !yes
		}
		return ok
	}
}

func hint(to **bool) taker {
	return func(_ string, v *value) bool {
		yes, ok := v.boolean()
		if ok {
			*to = &yes
		}
		return ok
	}
}

func count(to *int) taker {
	return func(_ string, v *value) bool {
		n, err := strconv.Atoi(v.text)
		if v.kind != scalar || err != nil {
			return false
		}
		*to = n
		return true
	}
}

func oneOf(to *string, words ...string) taker {
	return func(_ string, v *value) bool {
		if v.kind != scalar || !slices.Contains(words, v.text) {
			return false
		}
		*to = v.text
		return true
	}
}

// spans adds the keys of a duration, with the units clients write into their
// names.
func (r *reading) spans(keys map[string]taker, to *document.Duration, most time.Duration, names string) {
	for name := range strings.FieldsSeq(names) {
		for _, suffix := range []string{"", "sec", "secs", "seconds"} {
			keys[name+suffix] = r.span(to, most, time.Second)
		}
		for _, suffix := range []string{"ms", "millis", "milliseconds"} {
			keys[name+suffix] = r.span(to, most, time.Millisecond)
		}
	}
}

// clearlyMS is the number from which a bare one cannot have meant seconds:
// nobody waits for nearly three hours, and clients that count milliseconds
// begin here.
const clearlyMS = 10_000

// span reads a duration. A bare number is in the unit of its key, which is
// seconds when it says none.
func (r *reading) span(to *document.Duration, most, unit time.Duration) taker {
	return func(path string, v *value) bool {
		if v.kind != scalar {
			return false
		}
		d, err := document.ParseDuration(v.text)
		if n, bare := strconv.ParseFloat(v.text, 64); bare == nil && n > 0 && n < 1e12 {
			if unit == time.Second && n >= clearlyMS {
				r.note(fmt.Sprintf("%s was %s, which was taken for milliseconds.", path, v.text))
				unit = time.Millisecond
			}
			d, err = document.Duration(n*float64(unit/time.Millisecond))*document.Duration(time.Millisecond), nil
		}
		if err != nil || d <= 0 {
			return false
		}
		if d.Std() > most {
			r.note(fmt.Sprintf("%s was %s; at most %s are waited, and that is what it says now.", path, d, document.Duration(most)))
			d = document.Duration(most)
		}
		*to = d
		return true
	}
}

// command is a program, a program with its arguments in one list, or Zed's
// map of both.
func (r *reading) command(path string, v *value) bool {
	s := &r.entry.Server
	switch v.kind {
	case scalar:
		s.Command = v.text
		return true
	case list:
		all, ok := v.texts()
		if !ok || len(all) == 0 {
			return false
		}
		s.Command, s.Args = all[0], slices.Concat(all[1:], s.Args)
		return true
	}
	return r.inside(map[string]taker{
		"path": text(&s.Command), "args": r.arguments, "env": r.variables(&r.env),
	})(path, v)
}

// arguments come after those of a command that is a list.
func (r *reading) arguments(path string, v *value) bool {
	s := &r.entry.Server
	if v.kind == scalar {
		s.Args = append(s.Args, words(v.text)...)
		r.note(path + " was one text and was parted into words.")
		return true
	}
	return texts(&s.Args)(path, v)
}

// variables reads a map of values; or a list, where NAME=value is one and a
// NAME alone is passed on from the environment.
func (r *reading) variables(to *[]pair) taker {
	return func(path string, v *value) bool {
		for _, item := range v.items {
			name, given, ok := strings.Cut(item.text, "=")
			if !ok {
				given = "${" + name + "}"
			}
			if item.kind == scalar && name != "" {
				*to = append(*to, pair{name, given})
			}
		}
		for _, m := range v.members {
			switch {
			case m.value.kind != scalar:
				r.homeless(path + "." + clip(m.key))
			case !m.value.null:
				*to = append(*to, pair{m.key, m.value.text})
			}
		}
		return v.kind != scalar
	}
}

// headersFromEnv reads a map of headers to the variables that hold them.
func (r *reading) headersFromEnv(path string, v *value) bool {
	for _, m := range v.members {
		if m.value.kind == scalar && m.value.text != "" {
			r.headers = append(r.headers, pair{m.key, "${" + m.value.text + "}"})
		}
	}
	return v.kind == object
}

// bearer reads the name of the variable that holds a bearer token.
func (r *reading) bearer(path string, v *value) bool {
	if v.kind != scalar || v.text == "" {
		return false
	}
	r.headers = append(r.headers, pair{"Authorization", "Bearer ${" + v.text + "}"})
	return true
}

// words parts a command line as a shell would, quotes taken off.
func words(line string) []string {
	var all []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		var word string
		word, line = firstWord(line)
		all = append(all, word)
	}
	return all
}

func firstWord(line string) (word, rest string) {
	var b strings.Builder
	var quote rune
	for i, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && unicode.IsSpace(c):
			return b.String(), line[i:]
		default:
			b.WriteRune(c)
		}
	}
	return b.String(), ""
}
