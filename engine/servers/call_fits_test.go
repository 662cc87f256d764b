package servers

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// What does not fit the input schema is told beside the argument.
func TestArgumentsThatDoNotFit(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{
		"text":{"type":"string","minLength":2},"n":{"type":["integer","null"],"maximum":9},"kind":{"enum":["a","b"]},
		"who":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]},"more":{"$ref":"#/$defs/tree"}},
		"required":["text"],"additionalProperties":false,
		"$defs":{"tree":{"type":"array","items":{"$ref":"#/$defs/tree"}}}}`
	resolved := compiled(schema)
	if resolved == nil {
		t.Fatal("it was not compiled")
	}
	for args, c := range map[string]struct{ field, says string }{
		`{"text":"ab","n":3,"kind":"a","who":{"name":"x"},"more":[[],[[]]]}`: {},
		`{"text":"ab","n":null}`:         {},
		`{}`:                             {"arguments.text", "needed"},
		`{"text":5}`:                     {"arguments.text", "of type integer, and the tool wants string"},
		`{"text":"a"}`:                   {"arguments.text", "minLength"},
		`{"text":"ab","n":"x"}`:          {"arguments.n", "integer"},
		`{"text":"ab","n":10}`:           {"arguments.n", "maximum"},
		`{"text":"ab","kind":"c"}`:       {"arguments.kind", "enum"},
		`{"text":"ab","other":1}`:        {"arguments.other", "no such argument"},
		`{"text":"ab","who":{}}`:         {"arguments.who", "name is needed in it"},
		`{"text":"ab","who":{"name":1}}`: {"arguments.who", "In it, at name: It is of type integer, and the tool wants string."},
		`{"text":"ab","more":[1]}`:       {"arguments", "array"},
		`{"text":"a\nvalidating root: bad","n":"` + strings.Repeat("x", 2000) + `"}`: {"arguments.n", "integer"},
	} {
		var given any
		if err := json.Unmarshal([]byte(args), &given); err != nil {
			t.Fatal(err)
		}
		err := validate(resolved, given)
		if c.field == "" {
			if err != nil {
				t.Errorf("%s: %v", args, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("%s: it fits", args)
			continue
		}
		no := refusal.Of(unfit(offer{registered: "echo"}, err))
		if no.Class != refusal.Invalid || !strings.Contains(no.Fields[c.field], c.says) || len(no.Fields) != 1 {
			t.Errorf("%.80s: %v %v, want %q beside %s (%v)", args, no.Says, no.Fields, c.says, c.field, err)
		}
	}
}

// What cannot be compiled, or would be followed for ever, is left to the server.
func TestSchemasLeftToTheServer(t *testing.T) {
	t.Parallel()
	bomb := `{"$defs":{"d0":{"type":"string"}`
	for i := range 30 {
		bomb += strings.ReplaceAll(strings.ReplaceAll(`,"dNEXT":{"allOf":[{"$ref":"#/$defs/dTHIS"},{"$ref":"#/$defs/dTHIS"}]}`, "NEXT", strconv.Itoa(i+1)), "THIS", strconv.Itoa(i))
	}
	bomb += `},"$ref":"#/$defs/d30"}`
	for name, c := range map[string]struct {
		schema string
		held   bool
	}{
		"plain":                {`{"type":"object"}`, true},
		"draft 7":              {`{"$schema":"http://json-schema.org/draft-07/schema#","$id":"https://x.test/s","type":"object","properties":{"a":{"$ref":"#/definitions/a"}},"definitions":{"a":{"type":"string"}}}`, true},
		"a tree":               {`{"type":"object","properties":{"a":{"$ref":"#"}}}`, true},
		"no JSON":              {`{"type":`, false},
		"none":                 {``, false},
		"another dialect":      {`{"$schema":"http://json-schema.org/draft-04/schema#","type":"object"}`, false},
		"a regular expression": {`{"properties":{"a":{"pattern":"(?<=x)y"}}}`, false},
		"itself":               {`{"$ref":"#"}`, false},
		"itself, around":       {`{"allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"}]},"b":{"not":{"$ref":"#/$defs/a"}}}}`, false},
		"deep inside":          {`{"properties":{"a":{"items":{"if":{"$ref":"#/properties/a/items"}}}}}`, false},
		"elsewhere":            {`{"$ref":"https://x.test/schema"}`, false},
		"nowhere":              {`{"$ref":"#/$defs/none"}`, false},
		"a bomb":               {bomb, false},
		"redacted":             {`{"type":"object","properties":{"a":{"const":"[redacted]"}}}`, false},
	} {
		if got := compiled(c.schema) != nil; got != c.held {
			t.Errorf("%s: compiled %t, want %t", name, got, c.held)
		}
	}
}

// A call that does not fit never reaches its server.
func TestCallThatDoesNotFit(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "", "echo", "die"))
	h.in("alpha", Running)
	for _, args := range []string{`{"text":5}`, `{}`, `{"text":"a","more":1}`} {
		_, err := tool.Do(t.Context(), h.run, h.servers.Call, admin(), CallTool{Tool: "die", Arguments: json.RawMessage(args)})
		no := refusal.Of(err)
		if no == nil || no.Class != refusal.Invalid || len(no.Fields) != 1 || no.Details["may_have_taken_effect"] != nil {
			t.Errorf("%s: %v", args, err)
		}
	}
	if out, _, err := h.called(t, "echo", "hi"); err != nil || out.Content[0].Text != "echo said hi" {
		t.Errorf("got %+v %v", out, err)
	}
}

func TestAPlaceInsideAnArgument(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]string{
		"/properties/o/properties/k":                 "k",
		"/properties/o/properties/a/properties/b~1c": "a.b/c",
		"/properties/o/items":                        "[]",
		"/properties/o/items/properties/properties":  "[].properties",
		"/properties/o/anyOf/1":                      "/properties/o/anyOf/1",
	} {
		if got := innerPlace(at); got != want {
			t.Errorf("%s is %s, want %s", at, got, want)
		}
	}
}
