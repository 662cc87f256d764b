package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// errOversize says that a tool is left out for the size of a schema.
var errOversize = errors.New("a schema is too large")

// decodeTool reads one tool of a listing, field by field, so that one odd
// field spoils its tool and never the list. It errs for a tool that cannot be
// kept at all: no usable name, or a schema past maxSchema.
func decodeTool(text json.RawMessage) (Tool, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return Tool{}, fmt.Errorf("it is no JSON object: %w", err)
	}
	var t Tool
	if json.Unmarshal(fields["name"], &t.Name) != nil || t.Name == "" {
		return Tool{}, errors.New("it has no name")
	}
	if len(fields["inputSchema"]) > maxSchema || len(fields["outputSchema"]) > maxSchema {
		return t, errOversize
	}
	if t.More = restOfTool(fields); len(t.More) > maxSchema {
		return t, errOversize
	}
	odd := append(t.takeWords(fields), t.takeSchemas(fields)...)
	t.Annotations = decodeAnnotations(fields["annotations"])
	slices.Sort(odd) // maps have no order, and the digest must have one
	t.Invalid = strings.Join(odd, "; ")
	return t, nil
}

// takeWords keeps the title and the description and says which is no text.
func (t *Tool) takeWords(fields map[string]json.RawMessage) (odd []string) {
	for name, into := range map[string]*string{"title": &t.Title, "description": &t.Description} {
		if present(fields[name]) && json.Unmarshal(fields[name], into) != nil {
			odd = append(odd, "its "+name+" is not text")
		}
	}
	if t.Title == "" {
		t.Title = annotatedTitle(fields["annotations"])
	}
	return odd
}

// takeSchemas keeps the schemas as they are written and says what is wrong
// with them.
func (t *Tool) takeSchemas(fields map[string]json.RawMessage) (odd []string) {
	if !present(fields["inputSchema"]) {
		odd = append(odd, "it has no input schema")
	}
	for name, into := range map[string]*json.RawMessage{"input": &t.InputSchema, "output": &t.OutputSchema} {
		text := fields[name+"Schema"]
		if !present(text) {
			continue
		}
		*into = text
		if err := checkSchema(text); err != nil {
			odd = append(odd, "its "+name+" schema is invalid: "+err.Error())
		}
	}
	if _, err := paramHeaders(t.InputSchema); err != nil {
		odd = append(odd, err.Error())
	}
	return odd
}

// restOfTool is what the fields hold that we do not read.
func restOfTool(fields map[string]json.RawMessage) json.RawMessage {
	rest := maps.Clone(fields)
	var hints map[string]json.RawMessage
	if json.Unmarshal(rest["annotations"], &hints) == nil {
		delete(rest, "annotations")
		if more := Rest(hints, "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"); more != nil {
			rest["annotations"] = more
		}
	}
	return Rest(rest, "name", "title", "description", "inputSchema", "outputSchema")
}

// Rest is a JSON object of the fields but those that are known; nil for none.
// The same fields make the same text.
func Rest(fields map[string]json.RawMessage, known ...string) json.RawMessage {
	rest := maps.Clone(fields)
	for _, name := range known {
		delete(rest, name)
	}
	if len(rest) == 0 {
		return nil
	}
	text, err := json.Marshal(rest)
	if err != nil {
		return nil // what was read as JSON is written as it
	}
	return text
}

func present(text json.RawMessage) bool { return len(text) > 0 && string(text) != "null" }

// decodeAnnotations takes each hint that is a boolean. Anything else leaves
// it unknown.
func decodeAnnotations(text json.RawMessage) Annotations {
	var hints map[string]json.RawMessage
	if json.Unmarshal(text, &hints) != nil {
		return Annotations{}
	}
	hint := func(name string) *bool {
		var v *bool
		if json.Unmarshal(hints[name], &v) != nil {
			return nil
		}
		return v
	}
	return Annotations{hint("readOnlyHint"), hint("destructiveHint"), hint("idempotentHint"), hint("openWorldHint")}
}

func annotatedTitle(text json.RawMessage) string {
	var a struct {
		Title string `json:"title"`
	}
	if json.Unmarshal(text, &a) != nil {
		return ""
	}
	return a.Title
}
