package web

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// text reads what was typed as the place's type wants it. A field that is no
// text and was left empty is left out: an input nobody filled in sends one.
func (f *field) text() (out any, ok bool, err error) {
	kind := f.kind
	if kind == nil {
		return f.sent[0], true, nil // refused by its name
	}
	if inner, ok := tool.Inner(kind); ok {
		return f.maybe(inner)
	}
	switch {
	case kind.Kind() == reflect.Slice && whole(kind):
		return f.entries()
	case kind.Kind() == reflect.Map && !whole(bare(kind.Elem())):
		return f.pairs()
	case kind.Kind() == reflect.Bool:
		return f.ticked()
	case len(f.sent) > 1:
		return nil, false, f.wrong("is sent " + strconv.Itoa(len(f.sent)) + " times; send it once")
	default:
		return f.single(kind, f.sent[0])
	}
}

// maybe is an argument that may be null: an empty field clears.
func (f *field) maybe(inner reflect.Type) (any, bool, error) {
	if len(f.sent) == 1 && strings.TrimSpace(f.sent[0]) == "" {
		return nil, true, nil
	}
	within := *f
	within.kind = inner
	return within.text()
}

// entries is a list: of texts one a line, of objects as JSON.
func (f *field) entries() (any, bool, error) {
	elem, list := bare(f.kind.Elem()), []any{}
	texts := lines(f.sent)
	if whole(elem) || anyJSON(elem) {
		texts = f.sent
		if len(texts) == 1 && strings.HasPrefix(strings.TrimSpace(texts[0]), "[") {
			return f.raw(texts[0])
		}
	}
	for _, text := range texts {
		value, ok, err := f.single(elem, text)
		if err != nil {
			return nil, false, err
		}
		if ok {
			list = append(list, value)
		}
	}
	return list, true, nil
}

// pairs is a map of NAME=value lines.
func (f *field) pairs() (any, bool, error) {
	m := map[string]any{}
	for _, line := range lines(f.sent) {
		name, text, ok := strings.Cut(line, "=")
		if !ok {
			return nil, false, refusal.Invalid.Say("Each line is NAME=value; a line here has no \"=\".").On(f.path)
		}
		name = strings.TrimSpace(name)
		if _, twice := m[name]; twice {
			return nil, false, f.wrong("has two lines for one name")
		}
		value, ok, err := f.single(bare(f.kind.Elem()), strings.TrimSpace(text))
		if err != nil {
			return nil, false, err
		}
		if ok {
			m[name] = value
		}
	}
	return m, true, nil
}

// ticked reads a box: sent several times, as behind a hidden "false", it is
// ticked when one of them is.
func (f *field) ticked() (out any, ok bool, err error) {
	for _, text := range f.sent {
		switch strings.TrimSpace(text) {
		case "true", "on", "1":
			return true, true, nil
		case "false", "off", "0":
			out, ok = false, true
		case "":
		default:
			return nil, false, f.wrong("is true or false")
		}
	}
	return out, ok, nil
}

func (f *field) single(kind reflect.Type, text string) (any, bool, error) {
	if kind.Kind() == reflect.String && !writesItself(kind) {
		return text, true, nil
	}
	if text = strings.TrimSpace(text); text == "" {
		return nil, false, nil
	}
	switch {
	case anyJSON(kind), whole(kind):
		return f.raw(text)
	case writesItself(kind):
		return text, true, nil
	}
	switch kind.Kind() {
	case reflect.Bool:
		return (&field{path: f.path, sent: []string{text}}).ticked()
	case reflect.Float32, reflect.Float64:
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
			return nil, false, f.wrong("is a number")
		}
		return n, true, nil
	default:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, false, f.wrong("is a whole number")
		}
		return n, true, nil
	}
}

func (f *field) raw(text string) (any, bool, error) {
	if text = strings.TrimSpace(text); text == "" {
		return nil, false, nil
	}
	if !json.Valid([]byte(text)) {
		return nil, false, f.wrong("is JSON, such as {\"name\": \"value\"}")
	}
	return json.RawMessage(text), true, nil
}

func (f *field) wrong(says string) error {
	return refusal.Invalid.Say("%s %s.", f.path, says).On(f.path)
}

// anyJSON reports whether a place holds any JSON there is.
func anyJSON(t reflect.Type) bool {
	return t.Kind() == reflect.Interface || t == reflect.TypeFor[json.RawMessage]()
}

func lines(sent []string) []string {
	list := []string{}
	for _, s := range sent {
		for line := range strings.Lines(s) {
			if line = strings.TrimSpace(line); line != "" {
				list = append(list, line)
			}
		}
	}
	return list
}
