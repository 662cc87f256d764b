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
		s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: known()})
		if err != nil {
			panic("describe " + t.String() + ": " + err.Error())
		}
		s.Type, s.Types = "object", nil
		refine(s, t, asked)
		text, err := json.Marshal(s)
		if err != nil {
			panic("describe " + t.String() + ": " + err.Error())
		}
		return text
	})
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
	}
}

// refine adds what the library does not read: validation tags of arguments,
// what may be left out, and what may be null.
func refine(s *jsonschema.Schema, t reflect.Type, asked bool) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case s == nil:
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
			notNull(p)
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
	if asked {
		for name := range s.Properties {
			if !slices.Contains(Names(t), name) {
				delete(s.Properties, name)
			}
		}
		s.PropertyOrder = slices.DeleteFunc(s.PropertyOrder, func(name string) bool { return s.Properties[name] == nil })
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
