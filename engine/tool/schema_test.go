package tool

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"crewlet/engine/access"
)

type everything struct {
	Name  string            `json:"name" validate:"required,max=40" jsonschema:"what it is called"`
	Count int               `json:"count,omitempty" validate:"min=0,max=100"`
	Kind  string            `json:"kind,omitempty" validate:"omitempty,oneof=a b"`
	Level int               `json:"level,omitempty" validate:"omitempty,oneof=1 2"`
	Tags  []string          `json:"tags,omitempty" validate:"max=20,dive,max=64"`
	Parts []part            `json:"parts" validate:"required,min=1,dive"`
	Env   map[string]string `json:"env,omitempty" validate:"max=3"`
	ID    *string           `json:"id,omitempty" validate:"omitempty,uuid"`
	When  time.Time         `json:"when,omitzero"`
	Any   json.RawMessage   `json:"any,omitempty"`
	Bytes []byte            `json:"bytes,omitempty"`
	From
	Untold string
	found  int
}

type part struct {
	Path string `json:"path" validate:"required"`
	Of   any    `json:"of,omitempty" jsonschema:"whose"`
}

type told struct {
	List  []string          `json:"list"`
	Some  []string          `json:"some,omitempty"`
	Map   map[string]int    `json:"map"`
	When  *time.Time        `json:"when"`
	Left  *time.Time        `json:"left,omitempty"`
	Parts []part            `json:"parts"`
	Any   json.RawMessage   `json:"any"`
	Names map[string]string `json:"names,omitempty"`
	Below *branch           `json:"below,omitempty"`
}

// branch holds itself.
type branch struct {
	Name     string   `json:"name"`
	Branches []branch `json:"branches"`
}

func TestSchemas(t *testing.T) {
	t.Parallel()
	u := Declare(Spec{Name: "describe", Brief: "Describe.", Access: access.Self()},
		func(_ context.Context, _ *Call, in everything) (told, error) {
			return told{Map: map[string]int{"found": in.found}}, nil
		}).Any()
	for name, c := range map[string]struct {
		got  json.RawMessage
		want string
	}{
		"arguments": {u.InputSchema(), `{"type":"object","properties":{` +
			`"name":{"type":"string","description":"what it is called","minLength":1,"maxLength":40},` +
			`"count":{"type":"integer","minimum":0,"maximum":100},` +
			`"kind":{"type":"string","enum":["a","b"]},` +
			`"level":{"type":"integer","enum":[1,2]},` +
			`"tags":{"type":"array","items":{"type":"string","maxLength":64},"maxItems":20},` +
			`"parts":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string","minLength":1},"of":{"description":"whose"}},"required":["path"],"additionalProperties":false},"minItems":1},` +
			`"env":{"type":"object","additionalProperties":{"type":"string"},"maxProperties":3},` +
			`"id":{"type":"string","format":"uuid"},` +
			`"when":{"type":"string","format":"date-time"},` +
			`"any":{"description":"any JSON"},` +
			`"bytes":{"type":"string","contentEncoding":"base64"},` +
			`"source":{"type":"string","maxLength":3}},` +
			`"required":["name","parts"],"additionalProperties":false}`},
		"answer": {u.OutputSchema(), `{"type":"object","properties":{` +
			`"list":{"type":["null","array"],"items":{"type":"string"}},` +
			`"some":{"type":"array","items":{"type":"string"}},` +
			`"map":{"type":["null","object"],"additionalProperties":{"type":"integer"}},` +
			`"when":{"type":["null","string"],"format":"date-time"},` +
			`"left":{"type":"string","format":"date-time"},` +
			`"parts":{"type":["null","array"],"items":{"type":"object","properties":{"path":{"type":"string"},"of":{"description":"whose"}},"required":["path"]}},` +
			`"any":{"description":"any JSON"},` +
			`"names":{"type":"object","additionalProperties":{"type":"string"}},` +
			`"below":{"$ref":"#/$defs/branch"}},` +
			`"required":["list","map","when","parts","any"],` +
			`"$defs":{"branch":{"type":"object","properties":{"name":{"type":"string"},"branches":{"type":["null","array"],"items":{"$ref":"#/$defs/branch"}}},"required":["name","branches"]}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			if got, want := sorted(t, c.got), sorted(t, json.RawMessage(c.want)); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func sorted(t *testing.T, text json.RawMessage) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
