package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

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

// named refuses top-level names the arguments struct does not declare.
func named(raw json.RawMessage, args reflect.Type) error {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		return unreadable(err)
	}
	known := Names(args)
	no := refusal.Invalid.Say("An argument here is not one of this tool's.")
	for name := range given {
		if !contains(known, name) {
			no = no.Beside(name, strange(name, known))
		}
	}
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

func contains(list []string, name string) bool {
	for _, have := range list {
		if have == name {
			return true
		}
	}
	return false
}

func strange(name string, known []string) string {
	if len(known) == 0 {
		return fmt.Sprintf("There is no argument %q; this tool takes none.", name)
	}
	if near := nearest.Name(name, known); near != "" {
		return fmt.Sprintf("There is no argument %q; did you mean %q?", name, near)
	}
	return fmt.Sprintf("There is no argument %q; there are %s.", name, strings.Join(known, ", "))
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
	case reflect.Map, reflect.Struct:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return "a number"
	default:
		return "a whole number"
	}
}
