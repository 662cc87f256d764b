package paste

import (
	"encoding/json"
	"fmt"
	"reflect"

	"crewlet/config/document"
)

// Encode writes a server as the JSON object that declares it: what differs
// from the defaults, under the keys of the company document.
func Encode(s document.Server) (json.RawMessage, error) {
	text, err := json.Marshal(differing(reflect.ValueOf(s), reflect.ValueOf(document.NewServer())))
	if err != nil {
		return nil, fmt.Errorf("encode the server %s: %w", s.Name, err)
	}
	return text, nil
}

// differing are the fields of a struct that are not as they usually are.
func differing(v, usual reflect.Value) map[string]any {
	fields := map[string]any{}
	for f, value := range v.Fields() {
		key, other := f.Tag.Get("yaml"), usual.FieldByIndex(f.Index)
		if key == "" || key == "-" || value.IsZero() && other.IsZero() || reflect.DeepEqual(value.Interface(), other.Interface()) {
			continue
		}
		if (value.Kind() == reflect.Slice || value.Kind() == reflect.Map) && value.Len() == 0 {
			continue
		}
		fields[key] = plain(value, other)
	}
	return fields
}

func plain(v, usual reflect.Value) any {
	switch value := v.Interface().(type) {
	case document.Duration:
		return value.String()
	case *document.Auth:
		options := differing(v.Elem(), reflect.ValueOf(document.Auth{Redirect: "node"}))
		if len(options) == 1 && options["type"] == "oauth" {
			return "oauth"
		}
		return options
	case map[string]document.Hints:
		all := make(map[string]any, len(value))
		for tool, h := range value {
			all[tool] = hints(h)
		}
		return all
	}
	if v.Kind() == reflect.Struct {
		return differing(v, usual)
	}
	return v.Interface()
}

func hints(h document.Hints) map[string]bool {
	said := map[string]bool{}
	for key, value := range map[string]*bool{
		"read_only": h.ReadOnly, "destructive": h.Destructive, "idempotent": h.Idempotent, "open_world": h.OpenWorld,
	} {
		if value != nil {
			said[key] = *value
		}
	}
	return said
}
