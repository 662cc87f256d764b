package door

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// What the door adds to every write: a key of the caller's own, and how the
// call ended. No answer has fields of these names.
const (
	keyProperty     = `"op_id":{"type":"string","description":"your UUIDv7: sent again with the same call, it lands once"}`
	receiptProperty = `"op_id":{"type":"string"},"outcome":{"type":"string"},"position":{"type":"integer"}`
)

func withKey(schema json.RawMessage) json.RawMessage     { return with(schema, keyProperty) }
func withReceipt(schema json.RawMessage) json.RawMessage { return with(schema, receiptProperty) }

// with adds properties to the schema of an object.
func with(schema json.RawMessage, properties string) json.RawMessage {
	var top map[string]json.RawMessage
	if json.Unmarshal(schema, &top) != nil || top == nil {
		return schema // refused by carried
	}
	if top["properties"] == nil {
		top["properties"] = json.RawMessage("{}")
	}
	top["properties"] = within(top["properties"], properties)
	out, err := json.Marshal(top)
	if err != nil {
		return schema
	}
	return out
}

// within puts members at the end of a JSON object.
func within(object json.RawMessage, members string) json.RawMessage {
	open := bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(object), []byte("}")))
	if len(open) > 1 {
		members = "," + members
	}
	return append(append(bytes.Clone(open), members...), '}')
}

// brief is an answer's schema as the catalogue has room for it: the names at
// the top, and their types. Nothing is required: a refusal is an answer, too.
func brief(schema json.RawMessage) json.RawMessage {
	var whole struct {
		Properties map[string]struct {
			Type json.RawMessage `json:"type"`
		} `json:"properties"`
	}
	if json.Unmarshal(schema, &whole) != nil {
		return schema
	}
	top := map[string]any{}
	for name, p := range whole.Properties {
		one := map[string]any{}
		if len(p.Type) > 0 && p.Type[0] == '"' {
			one["type"] = p.Type
		}
		top[name] = one
	}
	out, err := json.Marshal(map[string]any{"type": "object", "properties": top})
	if err != nil {
		return schema
	}
	return out
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
