package catalogue

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	view "crewlet/views/catalogue"
)

// needed is what is said of an argument that has to be sent.
const needed = "needed"

// valuesOf are the parts of an object: those that are always there first.
func valuesOf(schema object) []view.Value {
	var list []view.Value
	required, _ := schema["required"].([]any)
	for name, value := range in(schema, "properties") {
		described, _ := value.(object)
		v := view.Value{Name: name, Kind: kind(described), Says: word(described, "description"), Rules: rules(described)}
		if schema["additionalProperties"] == false && slices.Contains(required, any(name)) {
			v.Rules = strings.TrimSuffix(needed+", "+v.Rules, ", ")
		}
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b view.Value) int {
		if an, bn := strings.HasPrefix(a.Rules, needed), strings.HasPrefix(b.Rules, needed); an != bn {
			return map[bool]int{true: -1, false: 1}[an]
		}
		return strings.Compare(a.Name, b.Name)
	})
	return list
}

// kind is a schema's type in words.
func kind(s object) string {
	switch t := s["type"].(type) {
	case []any: // one that may be null
		return kindWord(fmt.Sprint(t[len(t)-1]), s)
	case string:
		return kindWord(t, s)
	}
	if ref := word(s, "$ref"); ref != "" {
		return "object"
	}
	return "any JSON"
}

func kindWord(t string, s object) string {
	switch t {
	case "string":
		return cmp.Or(map[string]string{"date-time": "moment", "uuid": "id"}[word(s, "format")], "text")
	case "integer":
		return "whole number"
	case "boolean":
		return "true or false"
	case "array":
		items, _ := s["items"].(object)
		return "list of " + kind(items)
	default:
		return t
	}
}

// rules are a schema's limits in words.
func rules(s object) string {
	var list []string
	if options, ok := s["enum"].([]any); ok {
		words := make([]string, len(options))
		for i, one := range options {
			words[i] = fmt.Sprint(one)
		}
		list = append(list, "one of "+strings.Join(words, ", "))
	}
	for _, limit := range []struct{ name, says string }{
		{"maxLength", "at most %v characters"}, {"maxItems", "at most %v entries"}, {"minimum", "at least %v"}, {"maximum", "at most %v"},
	} {
		if n, ok := s[limit.name]; ok {
			list = append(list, fmt.Sprintf(limit.says, n))
		}
	}
	return strings.Join(list, ", ")
}

// called is a call of a tool as it is typed into a terminal.
func called(t view.Tool, op object) string {
	const bearer = ` -H "Authorization: Bearer $CREWLET_TOKEN"`
	if t.Method == "GET" {
		line := `curl -G "$CREWLET_URL` + t.Path + `"` + bearer
		parameters, _ := op["parameters"].([]any)
		for _, p := range parameters {
			if given, ok := p.(object)["example"]; ok {
				line += " \\\n  --data-urlencode " + quoted(fmt.Sprintf("%s=%v", word(p.(object), "name"), given))
			}
		}
		return line
	}
	example := in(op, "requestBody", "content", "application/json")["example"]
	body, err := json.Marshal(example)
	if err != nil {
		body = []byte("{}")
	}
	return `curl -X POST "$CREWLET_URL` + t.Path + `"` + bearer + ` \` + "\n" +
		`  -H "Idempotency-Key: $KEY" --json ` + quoted(string(body))
}

// quoted is one word to a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
