package door

import (
	"context"
	"encoding/json"
	"testing"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

func TestSchemasAreCutToWhatTells(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"lengths go": {
			`{"type":"object","properties":{"b":{"type":"string","maxLength":4,"minLength":1},"a":{"type":"integer","minimum":0,"maximum":9}},"additionalProperties":false}`,
			`{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"integer","maximum":9}}}`,
		},
		"names of arguments stay": {
			`{"properties":{"maxLength":{"type":"integer","minimum":1},"additionalProperties":{"enum":[false]}},"required":["maxLength"]}`,
			`{"properties":{"maxLength":{"type":"integer","minimum":1},"additionalProperties":{"enum":[false]}},"required":["maxLength"]}`,
		},
		"within lists and definitions": {
			`{"properties":{"a":{"items":{"maxLength":1,"properties":{"b":{"minItems":1}}},"maxItems":3}},"$defs":{"c":{"minLength":1}}}`,
			`{"properties":{"a":{"items":{"properties":{"b":{}}}}},"$defs":{"c":{}}}`,
		},
		"what maps hold": {
			`{"properties":{"a":{"additionalProperties":{"type":"string"}}}}`, `{"properties":{"a":{"additionalProperties":{"type":"string"}}}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := slimmed(json.RawMessage(c.in))
			if err != nil || string(got) != c.want {
				t.Errorf("got  %s %v\nwant %s", got, err, c.want)
			}
		})
	}
}

func TestSchemasThatCannotBeCarried(t *testing.T) {
	for _, schema := range []string{``, `null`, `true`, `[]`, `{"a":`, `{"properties":{"a":{"x-mcp-header":"X"}}}`, `{"anyOf":[{"properties":{"a":{"x-mcp-header":7}}}]}`} {
		if carried(json.RawMessage(schema)) == nil {
			t.Errorf("%s is carried", schema)
		}
	}
	if err := carried(json.RawMessage(`{"type":"object"}`)); err != nil {
		t.Error(err)
	}
}

type wrote struct {
	Text string `json:"text,omitempty"`
}

func TestAWriteIsAskedForAKeyAndAnswersHowItEnded(t *testing.T) {
	run := func(context.Context, *tool.Call, wrote) (wrote, error) { return wrote{}, nil }
	spec := tool.Spec{Name: "write_text", Title: "Write", Brief: "Write.", Access: access.Self(), Audience: tool.Operators}
	e, err := entryOf(tool.Declare(spec, run).Any())
	want := `{"annotations":{"destructiveHint":false,"openWorldHint":false},"description":"Write.","inputSchema":{"type":"object","properties":{"text":{"type":"string"},` +
		keyProperty + `}},"name":"write_text","outputSchema":{"type":"object"},"title":"Write"}`
	if err != nil || string(e.encoded) != want {
		t.Errorf("listed as %s, %v\nwant %s", e.encoded, err, want)
	}
	spec.Name, spec.Mode = "read_text", tool.Read
	if e, _ = entryOf(tool.Declare(spec, run).Any()); string(e.listed.RawInputSchema) != `{"type":"object","properties":{"text":{"type":"string"}}}` {
		t.Errorf("a read is asked %s", e.listed.RawInputSchema)
	}
	c := &tool.Call{Key: "k", Landed: tool.Receipt{Outcome: "applied", Position: 7}}
	for answer, want := range map[string]string{
		`{}`: `{"op_id":"k","outcome":"applied","position":7}`, `{"a":{"b":{}}}`: `{"a":{"b":{}},"op_id":"k","outcome":"applied","position":7}`,
	} {
		if got := receipt(json.RawMessage(answer), c); string(got) != want {
			t.Errorf("%s becomes %s", answer, got)
		}
	}
}

func TestTheKeyIsTakenOffTheArguments(t *testing.T) {
	for in, want := range map[string]struct{ rest, key string }{
		`{"a":1,"op_id":"k"}`:     {`{"a":1}`, "k"},
		`{"op_id":7}`:             {`{}`, "7"},
		`{"op_id":""}`:            {`{}`, `""`},
		`{"a":{"op_id":"k"}}`:     {`{"a":{"op_id":"k"}}`, ""},
		`{"a":1,"op_id":null}`:    {`{"a":1}`, ""},
		`{"a":12345678901234567}`: {`{"a":12345678901234567}`, ""},
		`[]`:                      {`[]`, ""},
		``:                        {``, ""},
	} {
		rest, key := takeKey(json.RawMessage(in))
		if made := len(key) == 36; string(rest) != want.rest || want.key == "" && !made || want.key != "" && key != want.key {
			t.Errorf("%s: the rest is %s, the key %s", in, rest, key)
		}
	}
}
