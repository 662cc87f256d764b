package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaDepth bounds how deep a schema is looked into.
const schemaDepth = 200

var typeNames = []string{"null", "boolean", "object", "array", "number", "string", "integer"}

// checkSchema refuses what no reader of JSON Schema could use as the schema
// of a tool: not an object, a keyword of the wrong kind, an unknown type, or
// a top level that takes no object. References and patterns are left alone:
// they may be right in a dialect we do not evaluate.
func checkSchema(text json.RawMessage) error {
	var top map[string]any
	if err := json.Unmarshal(text, &top); err != nil || top == nil {
		return errors.New("a schema is a JSON object")
	}
	if err := checkTypes(top, schemaDepth); err != nil {
		return err
	}
	if names := typesOf(top); names != nil && !slices.Contains(names, "object") {
		return fmt.Errorf("its type is %q where a tool needs \"object\"", names)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	return nil
}

// typesOf are the names under "type", nil when there is none.
func typesOf(schema map[string]any) []string {
	switch v := schema["type"].(type) {
	case string:
		return []string{v}
	case []any:
		names := make([]string, len(v))
		for i := range v {
			names[i], _ = v[i].(string) // another kind becomes "", which is no type
		}
		return names
	}
	return nil
}

// The keywords under which schemas lie, by how they lie there.
var (
	oneSchema   = []string{"items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedProperties", "unevaluatedItems"}
	listSchemas = []string{"allOf", "anyOf", "oneOf", "prefixItems", "items"}
	mapSchemas  = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
)

// checkTypes walks a schema and all in it for types that do not exist.
func checkTypes(schema map[string]any, depth int) error {
	if depth == 0 {
		return fmt.Errorf("it is nested more than %d deep", schemaDepth)
	}
	for _, name := range typesOf(schema) {
		if !slices.Contains(typeNames, name) {
			return fmt.Errorf("%q is no JSON Schema type", name)
		}
	}
	for _, inner := range inside(schema) {
		if s, ok := inner.(map[string]any); ok {
			if err := checkTypes(s, depth-1); err != nil {
				return err
			}
		}
	}
	return nil
}

// inside lists what lies where schemas may lie.
func inside(schema map[string]any) []any {
	var all []any
	for _, k := range oneSchema {
		all = append(all, schema[k])
	}
	for _, k := range listSchemas {
		list, _ := schema[k].([]any)
		all = append(all, list...)
	}
	for _, k := range mapSchemas {
		named, _ := schema[k].(map[string]any)
		for _, s := range named {
			all = append(all, s)
		}
	}
	return all
}
