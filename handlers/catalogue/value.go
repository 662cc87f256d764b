package catalogue

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	view "crewlet/views/catalogue"
)

// needed is what is said of an argument that has to be sent.
const needed = "needed"

// book reads one document's schemas.
type book struct {
	schemas object
	within  []string // references being followed: a unit holds units
}

// deepest is how many objects within each other are told. What is deeper
// stands in the document.
const deepest = 4

// values are the parts of an object, each followed by its own parts, those
// that have to be sent first. at is where the object stands, such as "ask.".
func (b book) values(at string, schema object) []view.Value {
	required, _ := schema["required"].([]any)
	properties := in(schema, "properties")
	sent := func(name string) bool {
		return schema["additionalProperties"] == false && slices.Contains(required, any(name))
	}
	names := slices.SortedFunc(maps.Keys(properties), func(x, y string) int {
		if sent(x) != sent(y) {
			return map[bool]int{true: -1, false: 1}[sent(x)]
		}
		return strings.Compare(x, y)
	})
	var list []view.Value
	for _, name := range names {
		described, _ := properties[name].(object)
		v := view.Value{Name: at + name, Kind: kind(described), Says: word(described, "description"), Rules: rules(described)}
		if sent(name) {
			v.Rules = strings.TrimSuffix(needed+", "+v.Rules, ", ")
		}
		list = append(list, v)
		list = append(list, b.parts(at+name, described)...)
	}
	return list
}

// parts are those of one value: of an object, or of each entry of a list.
func (b book) parts(at string, s object) []view.Value {
	if ref := word(s, "$ref"); ref != "" {
		if slices.Contains(b.within, ref) {
			return nil
		}
		b.within = append(slices.Clip(b.within), ref)
		s, _ = b.schemas[strings.TrimPrefix(ref, "#/components/schemas/")].(object)
	}
	items, _ := s["items"].(object)
	each, _ := s["additionalProperties"].(object)
	switch {
	case strings.Count(at, ".") >= deepest:
		return nil
	case items != nil:
		return b.parts(at+"[]", items)
	case each != nil:
		return b.parts(at+".NAME", each)
	default:
		return b.values(at+".", s)
	}
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
			list = append(list, fmt.Sprintf(limit.says, plain(n)))
		}
	}
	return strings.Join(list, ", ")
}

// plain is a number as people write it, without an exponent.
func plain(n any) any {
	if f, ok := n.(float64); ok {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return n
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
