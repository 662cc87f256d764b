package tool

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// InputSchema is the JSON schema of the arguments, from the struct's own tags.
// It names every argument there is and takes no other.
func (t Tool) InputSchema() json.RawMessage { return t.input() }

// OutputSchema is the JSON schema of the answer: an object. It may grow, so
// names it does not know are no error.
func (t Tool) OutputSchema() json.RawMessage { return t.output() }

// described makes a type's schema once, when it is first asked for.
func described(t reflect.Type, asked bool) func() json.RawMessage {
	return sync.OnceValue(func() json.RawMessage {
		types := known()
		whole := circular(t, nil)
		for _, one := range whole {
			types[one] = &jsonschema.Schema{Ref: "#/$defs/" + one.Name()}
		}
		s := schemaOf(t, types, asked)
		for _, one := range whole {
			if s.Defs == nil {
				s.Defs = map[string]*jsonschema.Schema{}
			}
			s.Defs[one.Name()] = schemaOf(one, types, asked)
		}
		text, err := json.Marshal(s)
		if err != nil {
			panic("describe " + t.String() + ": " + err.Error())
		}
		return text
	})
}

func schemaOf(t reflect.Type, types map[reflect.Type]*jsonschema.Schema, asked bool) *jsonschema.Schema {
	// Without its name a struct is described whole, not by reference.
	t = nameless(t)
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: types})
	if err != nil {
		panic("describe " + t.String() + ": " + err.Error())
	}
	refine(s, t, asked)
	return s
}

// nameless is a struct with the fields of t, those of embedded ones among
// them: what JSON sees of it.
func nameless(t reflect.Type) reflect.Type {
	var fields []reflect.StructField
	for _, f := range reflect.VisibleFields(t) {
		if f.IsExported() && !f.Anonymous && f.Tag.Get("json") != "" {
			fields = append(fields, reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag})
		}
	}
	return reflect.StructOf(fields)
}

// circular finds the structs that hold themselves, however deep: a unit's
// units. The library describes no such type.
func circular(t reflect.Type, above []reflect.Type) []reflect.Type {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return circular(t.Elem(), above)
	case reflect.Struct:
	default:
		return nil
	}
	if slices.Contains(above, t) {
		return []reflect.Type{t}
	}
	var found []reflect.Type
	for _, f := range reflect.VisibleFields(t) {
		if !f.IsExported() {
			continue
		}
		for _, one := range circular(f.Type, append(slices.Clip(above), t)) {
			if !slices.Contains(found, one) {
				found = append(found, one)
			}
		}
	}
	return found
}

// known are types that JSON writes otherwise than their Go kind suggests.
func known() map[reflect.Type]*jsonschema.Schema {
	return map[reflect.Type]*jsonschema.Schema{
		// An empty schema is written as true, which clients that want an object
		// for every property refuse.
		reflect.TypeFor[json.RawMessage](): {Description: "any JSON"},
		reflect.TypeFor[any]():             {Description: "any JSON"},
		reflect.TypeFor[[]byte]():          {Type: "string", ContentEncoding: "base64"},
		reflect.TypeFor[time.Time]():       {Type: "string", Format: "date-time"},
		reflect.TypeFor[Maybe[string]]():   {Types: []string{"null", "string"}},
		reflect.TypeFor[Maybe[int]]():      {Types: []string{"null", "integer"}},
		reflect.TypeFor[Maybe[float64]]():  {Types: []string{"null", "number"}},
	}
}

// refine adds what the library does not read: validation tags of arguments,
// what may be left out, and what may be null.
func refine(s *jsonschema.Schema, t reflect.Type, asked bool) {
	t = pointed(t)
	switch {
	case s == nil:
	case s.Ref != "":
		s.Types = nil // where null may stand, the value is left out
	case t.Kind() == reflect.Struct && s.Properties != nil:
		refineStruct(s, t, asked)
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Array:
		refine(s.Items, t.Elem(), asked)
	case t.Kind() == reflect.Map:
		refine(s.AdditionalProperties, t.Elem(), asked)
	}
}

func refineStruct(s *jsonschema.Schema, t reflect.Type, asked bool) {
	if asked {
		s.Required = nil
	} else {
		s.AdditionalProperties = nil
	}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		p := s.Properties[name]
		if p == nil || !f.IsExported() || f.Anonymous {
			continue
		}
		refine(p, f.Type, asked)
		switch {
		case asked:
			if _, maybe := Inner(f.Type); !maybe {
				notNull(p)
			}
			own, each, _ := strings.Cut(f.Tag.Get("validate"), ",dive")
			if rule(p, own) {
				s.Required = append(s.Required, name)
			}
			rule(p.Items, strings.TrimPrefix(each, ","))
		case strings.Contains(options, "omitempty"):
			notNull(p) // then it is left out instead
		case f.Type.Kind() == reflect.Map && p.Type == "object":
			p.Type, p.Types = "", []string{"null", "object"}
		}
	}
}

// notNull takes null from what a value may be. An argument that is not meant
// is left out.
func notNull(s *jsonschema.Schema) {
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
}

// rule writes validation tags as a schema has them, and reports whether the
// value has to be sent.
func rule(s *jsonschema.Schema, tags string) (required bool) {
	if s == nil {
		return false
	}
	for tag := range strings.SplitSeq(tags, ",") {
		name, param, _ := strings.Cut(tag, "=")
		switch name {
		case "required":
			required = true
			if s.Type == "string" && s.MinLength == nil {
				s.MinLength = jsonschema.Ptr(1)
			}
		case "oneof":
			for _, one := range strings.Fields(param) {
				s.Enum = append(s.Enum, value(s, one))
			}
		case "max", "lte":
			bound(s, param, &s.MaxLength, &s.MaxItems, &s.MaxProperties, &s.Maximum)
		case "min", "gte":
			bound(s, param, &s.MinLength, &s.MinItems, &s.MinProperties, &s.Minimum)
		case "uuid", "email":
			s.Format = name
		}
	}
	return required
}

// value is one of a tag's words as JSON writes it.
func value(s *jsonschema.Schema, word string) any {
	if n, err := strconv.ParseFloat(word, 64); err == nil && s.Type != "string" {
		return n
	}
	return word
}

// bound puts a limit where the value's type has it: a length in characters,
// entries, or the number itself.
func bound(s *jsonschema.Schema, param string, length, items, names **int, number **float64) {
	n, err := strconv.ParseFloat(param, 64)
	if err != nil {
		panic("a limit that is no number: " + param)
	}
	switch s.Type {
	case "string":
		*length = jsonschema.Ptr(int(n))
	case "array":
		*items = jsonschema.Ptr(int(n))
	case "object":
		*names = jsonschema.Ptr(int(n))
	default:
		*number = jsonschema.Ptr(n)
	}
}
