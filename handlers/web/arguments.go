package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"crewlet/engine/refusal"
)

// Arguments turns a form's or a query's fields into the JSON that arguments
// are decoded from. A field's name is a path: "title", "unit.name",
// "env.TOKEN", "edits[0].op"; the argument's type says what its text stands
// for. A list is one entry a line or a field sent several times, a map also
// NAME=value lines, an object also its JSON. Names nobody declared go along, to
// be refused by name where arguments are decoded.
func Arguments(values url.Values, args reflect.Type) (json.RawMessage, error) {
	if _, nameless := values[""]; nameless {
		return nil, refusal.Invalid.Say("A field was sent without a name; each is NAME=value.").On("")
	}
	top := &field{kind: args, under: map[string]*field{}}
	for _, path := range slices.Sorted(maps.Keys(values)) {
		at := top.reach(path)
		at.sent = append(at.sent, values[path]...)
	}
	out, _, err := top.value()
	if err != nil {
		return nil, err
	}
	return json.Marshal(out)
}

// field is one place of the arguments, with what was sent for it and below it.
type field struct {
	path  string
	kind  reflect.Type // nil where nothing is declared
	sent  []string
	under map[string]*field // of an object, by name
	list  map[int]*field    // of a list, by number
}

// reach goes along a path, making the places on the way.
func (f *field) reach(path string) *field {
	if path == "" {
		return f
	}
	if index, rest, ok := numbered(f.kind, path); ok {
		if f.list == nil {
			f.list = map[int]*field{}
		}
		if f.list[index] == nil {
			f.list[index] = &field{path: fmt.Sprintf("%s[%d]", f.path, index), kind: bare(f.kind.Elem())}
		}
		return f.list[index].reach(rest)
	}
	name, kind, rest := named(f.kind, path)
	if f.under == nil {
		f.under = map[string]*field{}
	}
	if f.under[name] == nil {
		f.under[name] = &field{path: strings.TrimPrefix(f.path+"."+name, "."), kind: bare(kind)}
	}
	return f.under[name].reach(rest)
}

// mostNumber is the highest number a list's entry may be sent under. Gaps are
// closed, so it is the most there can be.
const mostNumber = 999

// numbered takes "[0]" from the front of a path, where a list is meant.
func numbered(kind reflect.Type, path string) (index int, rest string, ok bool) {
	if kind == nil || kind.Kind() != reflect.Slice || writesItself(kind) || path[0] != '[' {
		return 0, "", false
	}
	digits, rest, closed := strings.Cut(path[1:], "]")
	index, err := strconv.Atoi(digits)
	ok = closed && err == nil && index >= 0 && index <= mostNumber && (rest == "" || rest[0] == '.' || rest[0] == '[')
	return index, strings.TrimPrefix(rest, "."), ok
}

// named takes a name from the front of a path. What nobody declared is one
// name to its end, dots and all.
func named(kind reflect.Type, path string) (name string, of reflect.Type, rest string) {
	switch {
	case kind == nil || writesItself(kind):
		return path, nil, ""
	case kind.Kind() == reflect.Map:
		if whole(bare(kind.Elem())) {
			name, rest = first(path)
			return name, kind.Elem(), rest
		}
		return path, kind.Elem(), ""
	case kind.Kind() != reflect.Struct:
		return path, nil, ""
	}
	name, rest = first(path)
	for _, f := range reflect.VisibleFields(kind) {
		declared, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if declared == name && name != "" && name != "-" && f.IsExported() && !f.Anonymous {
			return name, f.Type, rest
		}
	}
	return path, nil, ""
}

// first cuts a path behind its first name.
func first(path string) (name, rest string) {
	if end := strings.IndexAny(path, ".["); end > 0 {
		return path[:end], strings.TrimPrefix(path[end:], ".")
	}
	return path, ""
}

// value is the place as JSON has it; ok is false where nothing stands there.
func (f *field) value() (out any, ok bool, err error) {
	switch {
	case f.sent != nil && (f.under != nil || f.list != nil), f.under != nil && f.list != nil:
		return nil, false, f.wrong("is sent in two ways at once, whole and in parts; send one of them")
	case f.under != nil && f.kind != nil && writesItself(f.kind):
		return nil, false, f.wrong("is sent whole, in one field")
	case f.under != nil:
		object := map[string]any{}
		err = each(f.under, func(name string, value any) { object[name] = value })
		return object, true, err
	case f.list != nil:
		list := []any{}
		err = each(f.list, func(_ int, value any) { list = append(list, value) })
		return list, true, err
	default:
		return f.text()
	}
}

// each hands on the values of places in order, those where something stands.
func each[K cmp.Ordered](places map[K]*field, put func(K, any)) error {
	for _, at := range slices.Sorted(maps.Keys(places)) {
		value, ok, err := places[at].value()
		if err != nil {
			return err
		}
		if ok {
			put(at, value)
		}
	}
	return nil
}

// bare is a type without its pointers.
func bare(t reflect.Type) reflect.Type {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// writesItself reports whether a type reads its own JSON, so that its kind
// says nothing of it: a moment, any JSON.
func writesItself(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) || t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

// whole reports whether a value of a type has parts of its own.
func whole(t reflect.Type) bool {
	if t == nil || writesItself(t) {
		return false
	}
	return t.Kind() == reflect.Struct || t.Kind() == reflect.Map || t.Kind() == reflect.Slice
}
