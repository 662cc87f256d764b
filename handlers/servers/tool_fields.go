package servers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	view "crewlet/views/servers"
)

// mostFields is how many arguments get a field each; past it, and for a schema
// that is no plain object, the arguments are typed as one JSON object.
const mostFields = 60

// whole is the field of arguments that have no fields.
const whole = ""

// fieldsOf makes a form of an input schema: the arguments in the order they
// are described in.
func fieldsOf(schema json.RawMessage) []view.Argument {
	var top struct {
		Type       any             `json:"type"`
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
		AnyOf      json.RawMessage `json:"anyOf"`
		OneOf      json.RawMessage `json:"oneOf"`
		AllOf      json.RawMessage `json:"allOf"`
		Ref        string          `json:"$ref"`
	}
	plain := len(schema) > 0 && json.Unmarshal(schema, &top) == nil && len(top.AnyOf)+len(top.OneOf)+len(top.AllOf)+len(top.Ref) == 0
	names := keysOf(top.Properties)
	var properties map[string]json.RawMessage
	if plain && len(top.Properties) > 0 {
		plain = json.Unmarshal(top.Properties, &properties) == nil
	}
	if !plain || len(names) > mostFields {
		return []view.Argument{{Name: whole, Kind: view.ArgumentJSON, Label: "Arguments", Hint: "A JSON object, as the input schema below has it.", Value: "{}"}}
	}
	list := make([]view.Argument, 0, len(names))
	for _, name := range names {
		list = append(list, fieldOfArgument(name, properties[name], slices.Contains(top.Required, name)))
	}
	return list
}

// keysOf lists the keys of an object in the order they stand in, each once.
func keysOf(object json.RawMessage) []string {
	in := json.NewDecoder(bytes.NewReader(object))
	if open, err := in.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	var names []string
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return names
		}
		if key := fmt.Sprint(name); !slices.Contains(names, key) {
			names = append(names, key)
		}
		var skipped json.RawMessage
		if in.Decode(&skipped) != nil {
			return names
		}
	}
	return names
}

// fieldsBeside puts what is said of a tool's argument, such as arguments.text,
// beside the field it was typed into, and all else where it was said.
func fieldsBeside(fields []view.Argument, says map[string]string) map[string]string {
	beside := map[string]string{}
	for name, text := range says {
		to := name
		argument, of := strings.CutPrefix(name+".", "arguments.")
		for _, f := range fields {
			if of && (f.Name == whole || f.Name == strings.TrimSuffix(argument, ".")) {
				to = f.Field()
			}
		}
		beside[to] = seen(text)
	}
	return beside
}

// property is what a form reads of one argument's schema.
type property struct {
	Type        any               `json:"type"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	Enum        []json.RawMessage `json:"enum"`
	Const       json.RawMessage   `json:"const"`
	Default     json.RawMessage   `json:"default"`
	Items       *property         `json:"items"`
	AnyOf       []property        `json:"anyOf"`
	Format      string            `json:"format"`
}

func fieldOfArgument(name string, schema json.RawMessage, required bool) view.Argument {
	var p property
	a := view.Argument{Name: name, Label: seen(name), Required: required, Kind: view.ArgumentJSON}
	if json.Unmarshal(schema, &p) != nil {
		return a
	}
	p = p.unwrapped()
	a.Hint = seen(strings.TrimSpace(p.Description))
	if p.Title != "" && !strings.EqualFold(p.Title, name) && a.Hint == "" {
		a.Hint = seen(p.Title)
	}
	switch kind := p.kind(); {
	case len(p.Const) > 0:
		p.Enum = []json.RawMessage{p.Const}
		fallthrough
	case len(p.Enum) > 0:
		a.Kind = view.ArgumentChoice
		for _, value := range p.Enum {
			a.Choices = append(a.Choices, compact(value))
		}
	case kind == "array" && p.Items != nil && p.Items.scalar():
		a.Kind, a.Item = view.ArgumentList, p.Items.kind()
	default:
		a.Kind = map[string]string{
			"string": view.ArgumentText, "number": view.ArgumentNumber, "integer": view.ArgumentInteger, "boolean": view.ArgumentBool,
		}[kind]
		if a.Kind == "" {
			a.Kind = view.ArgumentJSON
		}
	}
	a.Value = a.Shown(p.Default)
	return a
}

// unwrapped looks through "this, or null".
func (p property) unwrapped() property {
	rest := slices.DeleteFunc(slices.Clone(p.AnyOf), func(q property) bool { return q.kind() == "null" })
	if p.Type != nil || len(rest) != 1 {
		return p
	}
	q := rest[0]
	if q.Description == "" {
		q.Description = p.Description
	}
	if q.Default == nil {
		q.Default = p.Default
	}
	return q
}

// kind is the one type a value has, null apart; "" when there are several.
func (p property) kind() string {
	switch t := p.Type.(type) {
	case string:
		return t
	case []any:
		one := slices.DeleteFunc(slices.Clone(t), func(v any) bool { return v == "null" })
		if len(one) == 1 {
			return fmt.Sprint(one[0])
		}
	}
	return ""
}

func (p property) scalar() bool {
	return slices.Contains([]string{"string", "number", "integer", "boolean"}, p.kind())
}

func compact(value json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return string(value)
	}
	return b.String()
}

// typedArguments fills the fields in with what was sent.
func typedArguments(fields []view.Argument, sent url.Values) []view.Argument {
	for i := range fields {
		fields[i].Value = sent.Get(fields[i].Field())
	}
	return fields
}
