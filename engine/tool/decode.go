package tool

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"crewlet/config/nearest"
	"crewlet/engine/refusal"
)

// Decode reads arguments strictly: one JSON object, every name declared. An
// argument nobody declared is named, never dropped.
func Decode[In any](raw json.RawMessage) (In, error) {
	var in In
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	if !utf8.Valid(raw) || halved(raw) {
		return in, refusal.Malformed.Say("The arguments hold text that is no Unicode: bytes that are not UTF-8, or half of a \\ud8xx\\udcxx pair.")
	}
	if err := named(raw, reflect.TypeFor[In]()); err != nil {
		return in, err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil {
		return in, unreadable(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return in, refusal.Malformed.Say("The arguments are one JSON object; something follows it.")
	}
	return in, nil
}

// halved reports that an escape in JSON is one half of a surrogate pair: JSON's
// own reader would put a replacement character in its place without a word.
func halved(raw []byte) bool {
	for at := bytes.IndexByte(raw, '\\'); at >= 0 && at+1 < len(raw); {
		next := at + 2
		if first := escaped(raw[at:]); utf16.IsSurrogate(first) {
			if utf16.DecodeRune(first, escaped(raw[min(at+6, len(raw)):])) == utf8.RuneError {
				return true
			}
			next = at + 12
		}
		more := bytes.IndexByte(raw[next:], '\\')
		if more < 0 {
			return false
		}
		at = next + more
	}
	return false
}

// escaped is what a \u escape at the beginning stands for; 0 for anything else.
func escaped(raw []byte) rune {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0
	}
	code, _ := strconv.ParseUint(string(raw[2:6]), 16, 16) // what is no number is for JSON's reader
	return rune(code)
}

// named refuses every name, however deep, that the arguments struct does not
// declare, by its path. JSON's own reader takes a name in any case and tells
// of the first strange one alone.
func named(raw json.RawMessage, args reflect.Type) error {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		return unreadable(err)
	}
	if _, sent := given[opID]; sent && !slices.Contains(Names(args), opID) {
		return refusal.OpIDInvalid.Say("op_id is no argument here. The key of a call goes in the header Idempotency-Key, or in the form field _key.").On(opID)
	}
	no := refusal.Invalid.Say("Some names here are not this tool's arguments.")
	names(raw, args, "", no)
	if len(no.Fields) == 0 {
		return nil
	}
	if len(no.Fields) == 1 {
		for _, says := range no.Fields {
			no.Says = says
		}
	}
	return no
}

// opID is what doors that have no headers call the key of a call.
const opID = "op_id"

// names walks a value beside its type. What has another shape than the type is
// for the reader to refuse.
func names(raw json.RawMessage, t reflect.Type, at string, no *refusal.Refusal) {
	t = pointed(t)
	switch {
	case readsItself(t):
		if at != "" && !reads(raw, t) {
			no.Beside(at, misread(at, t))
		}
	case t.Kind() == reflect.Struct:
		var given map[string]json.RawMessage
		if json.Unmarshal(raw, &given) == nil {
			fields(given, t, at, no)
		}
	case t.Kind() == reflect.Slice && deep(t.Elem()):
		var given []json.RawMessage
		_ = json.Unmarshal(raw, &given)
		for i, one := range given {
			names(one, t.Elem(), fmt.Sprintf("%s[%d]", at, i), no)
		}
	case t.Kind() == reflect.Map && deep(t.Elem()):
		var given map[string]json.RawMessage
		_ = json.Unmarshal(raw, &given)
		for name, one := range given {
			names(one, t.Elem(), at+"."+brief(name), no)
		}
	}
}

func fields(given map[string]json.RawMessage, t reflect.Type, at string, no *refusal.Refusal) {
	if len(given) == 0 {
		return // nothing to know the names of, which takes longer than all the rest
	}
	known := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		if name, ok := argument(f); ok {
			known[name] = f.Type
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if of, ok := known[name]; ok {
			names(given[name], of, strings.TrimPrefix(at+"."+name, "."), no)
		} else if len(no.Fields) < mostTold {
			name = brief(name)
			no.Beside(strings.TrimPrefix(at+"."+name, "."), strange(name, at, Names(t)))
		}
	}
}

// How many strange names are told, and how much of one, in bytes: a caller may
// send a body full of them.
const (
	mostTold = 20
	longest  = 100
)

func brief(name string) string {
	if len(name) <= longest {
		return name
	}
	return strings.ToValidUTF8(name[:longest], "") + "…"
}

func pointed(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// deep reports whether values of a type may hold names, or are read by a rule
// of their own.
func deep(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Struct, reflect.Map:
		return true
	default:
		return false
	}
}

// readsItself reports whether what is wrong with a value is not told by JSON's
// reader, or not with its place.
func readsItself(t reflect.Type) bool {
	return t == reflect.TypeFor[[]byte]() || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())
}

func reads(raw json.RawMessage, t reflect.Type) bool {
	err := json.Unmarshal(raw, reflect.New(t).Interface())
	if t != reflect.TypeFor[[]byte]() {
		return err == nil
	}
	_, corrupt := errors.AsType[base64.CorruptInputError](err)
	return !corrupt
}

func misread(path string, t reflect.Type) string {
	if t == reflect.TypeFor[time.Time]() {
		return fmt.Sprintf("%s is a moment, such as 2026-01-02T15:04:05Z.", path)
	}
	if t == reflect.TypeFor[[]byte]() {
		return fmt.Sprintf("%s is bytes in base64, such as aGVsbG8=.", path)
	}
	return fmt.Sprintf("%s cannot be read as %s.", path, kindWord(t))
}

// strange names what nobody declared, and what is meant instead.
func strange(name, at string, known []string) string {
	says := fmt.Sprintf("There is no argument %q", name)
	if at != "" {
		says = fmt.Sprintf("There is no %q in %s", name, at)
	}
	if len(known) == 0 {
		return says + "; this tool takes none."
	}
	if near := nearest.Name(name, known); near != "" {
		return says + fmt.Sprintf("; did you mean %q?", near)
	}
	return says + "; there are " + strings.Join(known, ", ") + "."
}

// Names lists the argument names a struct declares, embedded ones included.
func Names(args reflect.Type) []string {
	var names []string
	for _, f := range reflect.VisibleFields(args) {
		if name, ok := argument(f); ok {
			names = append(names, name)
		}
	}
	return names
}

func argument(f reflect.StructField) (string, bool) {
	if !f.IsExported() || f.Anonymous {
		return "", false
	}
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name, name != "" && name != "-"
}

// unreadable says what is wrong with JSON in words.
func unreadable(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
		return refusal.Invalid.Say("%s is %s here; it wants %s.", wrong.Field, valueWord(wrong.Value), kindWord(wrong.Type)).On(wrong.Field)
	}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return refusal.Malformed.Say("This is not JSON: %s at byte %d.", syntax.Error(), syntax.Offset)
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return refusal.Invalid.Say("There is no argument %s.", name).On(strings.Trim(name, `"`))
	}
	return refusal.Malformed.Say("The arguments are one JSON object, such as {\"name\": \"value\"}.").For(err)
}

// valueWord is the JSON reader's word for a value as people say it.
func valueWord(value string) string {
	switch kind, _, _ := strings.Cut(value, " "); kind { // a number may follow
	case "object":
		return "an object"
	case "array":
		return "a list"
	case "string":
		return "text"
	case "bool":
		return "true or false"
	}
	return "a number"
}

func kindWord(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct:
		if names := Names(t); len(names) > 0 {
			return "an object holding " + strings.Join(names, ", ")
		}
		return "an object"
	case reflect.Map:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return "a number"
	default:
		return "a whole number"
	}
}
