package operator

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"crewlet/engine/tool"
)

// audience is who finds a tool in a catalogue of theirs. Everybody whom its
// row admits may call it here.
func audience(t tool.Tool) []string {
	list := []string{}
	if t.Audience&tool.Operators != 0 {
		list = append(list, "operators")
	}
	if t.Audience&tool.Seats != 0 {
		list = append(list, "seats")
	}
	return list
}

// arguments is a tool's schema of what it is asked.
func arguments(t tool.Tool) object {
	var s object
	_ = json.Unmarshal(t.InputSchema(), &s) // it was encoded here
	return s
}

// needed are the arguments that have to be sent.
func needed(t tool.Tool) []string {
	s := arguments(t)
	return slices.DeleteFunc(tool.Names(t.Arguments), func(name string) bool { return !needs(s, name) })
}

func needs(schema object, name string) bool {
	required, _ := schema["required"].([]any)
	return slices.Contains(required, any(name))
}

// example is a call with the arguments that have to be sent, and no others.
func example(t tool.Tool) object {
	properties, _ := arguments(t)["properties"].(object)
	out := object{}
	for _, name := range needed(t) {
		described, _ := properties[name].(object)
		out[name] = sample(described)
	}
	return out
}

// such finds the example that a description gives.
var such = regexp.MustCompile(`such as ([^\s,;:()]+)`)

// sample is a value that a schema allows.
func sample(s object) any {
	if list, ok := s["enum"].([]any); ok {
		return list[0]
	}
	switch s["type"] {
	case "string":
		return sampleText(s)
	case "integer", "number":
		if least, ok := s["minimum"]; ok {
			return least
		}
		return 1
	case "boolean":
		return true
	case "array":
		item, _ := s["items"].(object)
		return []any{sample(item)}
	case "object":
		out := object{}
		properties, _ := s["properties"].(object)
		required, _ := s["required"].([]any)
		for _, name := range required {
			described, _ := properties[name.(string)].(object)
			out[name.(string)] = sample(described)
		}
		return out
	default:
		return object{}
	}
}

func sampleText(s object) string {
	switch s["format"] {
	case "uuid":
		return "0190f3a2-7c4e-7d5a-9b1e-3f0c2a1d4e5f"
	case "email":
		return "jane.doe@example.com"
	case "date-time":
		return "2026-01-02T15:04:05Z"
	}
	says, _ := s["description"].(string)
	if m := such.FindStringSubmatch(says); m != nil {
		if most, ok := s["maxLength"].(float64); !ok || len(m[1]) <= int(most) {
			return strings.TrimRight(m[1], ".")
		}
	}
	return "…"
}
