package servers

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// compiled makes an input schema ready to hold arguments against; nil for one
// that is left to the server: of a dialect we do not have, with references we
// do not follow, or spoilt by redaction.
func compiled(text string) (schema *jsonschema.Resolved) {
	defer func() {
		if recover() != nil {
			schema = nil
		}
	}()
	var tree any
	var s jsonschema.Schema
	if strings.Contains(text, "[redacted]") || json.Unmarshal([]byte(text), &tree) != nil || json.Unmarshal([]byte(text), &s) != nil {
		return nil
	}
	dialects := []string{
		"", "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema",
	}
	if !slices.Contains(dialects, s.Schema) || !(&refs{root: tree}).end(tree) {
		return nil
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil
	}
	return resolved
}

// refs follows the references of a schema. One that leads back to itself
// without a step into the arguments would be followed for ever, and some that
// branch at each step nearly so.
type refs struct {
	root  any
	steps int
}

// mostSteps bounds what one schema may take.
const mostSteps = 10_000

// end tells whether every place of the schema comes to an end.
func (r *refs) end(node any) bool {
	switch node := node.(type) {
	case []any:
		return !slices.ContainsFunc(node, func(n any) bool { return !r.end(n) })
	case map[string]any:
		if !r.inPlace(node, nil) {
			return false
		}
		for _, n := range node {
			if !r.end(n) {
				return false
			}
		}
	}
	return true
}

// foreign are words that make a reference mean something else than a place
// counted from the root.
var foreign = []string{"$dynamicRef", "$recursiveRef", "$anchor", "$dynamicAnchor", "$id"}

// inPlace walks what is held against the same value: followed are the
// references that led here.
func (r *refs) inPlace(node any, followed []string) bool {
	r.steps++
	s, ok := node.(map[string]any)
	if !ok || r.steps > mostSteps {
		return r.steps <= mostSteps
	}
	for _, word := range foreign {
		if _, text := s[word].(string); text && !(word == "$id" && r.isRoot(s)) {
			return false
		}
	}
	if ref, has := s["$ref"].(string); has {
		to, found := r.at(ref)
		if !found || slices.Contains(followed, ref) || !r.inPlace(to, append(slices.Clone(followed), ref)) {
			return false
		}
	}
	return !slices.ContainsFunc(beside(s), func(n any) bool { return !r.inPlace(n, followed) })
}

// isRoot compares the maps themselves.
func (r *refs) isRoot(s map[string]any) bool {
	return reflect.ValueOf(s).Pointer() == reflect.ValueOf(r.root).Pointer()
}

// beside are the parts of a schema that are held against the same value.
func beside(s map[string]any) []any {
	var list []any
	for _, word := range []string{"allOf", "anyOf", "oneOf"} {
		all, _ := s[word].([]any)
		list = append(list, all...)
	}
	for _, word := range []string{"not", "if", "then", "else"} {
		list = append(list, s[word])
	}
	dependent, _ := s["dependentSchemas"].(map[string]any)
	return slices.AppendSeq(list, maps.Values(dependent))
}

// at is what a reference inside the document means: a pointer from its root.
func (r *refs) at(ref string) (node any, found bool) {
	rest, ok := strings.CutPrefix(ref, "#")
	if !ok || rest != "" && rest[0] != '/' || strings.Contains(rest, "%") {
		return nil, false
	}
	node = r.root
	for step := range strings.SplitSeq(strings.TrimPrefix(rest, "/"), "/") {
		if rest == "" {
			break
		}
		s, ok := node.(map[string]any)
		if !ok {
			return nil, false
		}
		if node, ok = s[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]; !ok {
			return nil, false
		}
	}
	return node, true
}
