package door

import (
	"encoding/json"
	"errors"
	"fmt"

	"crewlet/engine/tool"
)

// keyProperty is what the door adds to every write: a key of the caller's own.
// What it is for is said once, in the instructions.
const keyProperty = `"op_id":{"type":"string","format":"uuid"}`

// answerSchema is every answer's: an object. What stands in it is described by
// the OpenAPI document; here it would cost a sixth of the whole list, and a
// refusal is an answer, too.
const answerSchema = `{"type":"object"}`

// inputOf is what a tool is asked, as the catalogue has room for it: names,
// types, words and choices. Lengths are left to the runner, which says them
// when they are passed.
func inputOf(t tool.Tool) (json.RawMessage, error) {
	s, err := membersOf(t.InputSchema())
	if err != nil {
		return nil, err
	}
	if s, err = slim(s); err != nil {
		return nil, err
	}
	if t.Writes() {
		s = s.with("properties", keyProperty)
	}
	return s.encode(), carried(s.encode())
}

// slim takes out of a schema what costs more than it tells.
func slim(s members) (members, error) {
	var kept members
	for _, m := range s {
		var err error
		switch m.name {
		case "minLength", "maxLength", "minItems", "maxItems":
			continue
		case "minimum":
			if string(m.value) == "0" {
				continue
			}
		case "additionalProperties":
			if string(m.value) == "false" {
				continue
			}
		case "items":
			m.value, err = slimmed(m.value)
		case "properties", "$defs":
			m.value, err = slimEach(m.value)
		}
		if err != nil {
			return nil, err
		}
		kept = append(kept, m)
	}
	return kept, nil
}

func slimmed(schema json.RawMessage) (json.RawMessage, error) {
	s, err := membersOf(schema)
	if err != nil {
		return nil, err
	}
	if s, err = slim(s); err != nil {
		return nil, err
	}
	return s.encode(), nil
}

func slimEach(schemas json.RawMessage) (json.RawMessage, error) {
	all, err := membersOf(schemas)
	for i := range all {
		if err == nil {
			all[i].value, err = slimmed(all[i].value)
		}
	}
	return all.encode(), err
}

// carried refuses a schema that the library fails at: one that is no JSON
// object empties the whole list, a name that is to travel in a header and may
// not ends the program.
func carried(schema json.RawMessage) error {
	var whole map[string]any
	if err := json.Unmarshal(schema, &whole); err != nil {
		return fmt.Errorf("its schema is no JSON object: %w", err)
	}
	if whole == nil {
		return errors.New("its schema is null")
	}
	if holds(whole, "x-mcp-header") {
		return errors.New("its schema has x-mcp-header, which is not taken here")
	}
	return nil
}

// holds looks for a name anywhere in a JSON value.
func holds(value any, name string) bool {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			if key == name || holds(inner, name) {
				return true
			}
		}
	case []any:
		for _, inner := range v {
			if holds(inner, name) {
				return true
			}
		}
	}
	return false
}
