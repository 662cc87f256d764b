package client

import (
	"encoding/json"
	"strings"
	"testing"
)

// What a server has besides tools, from the reference server.
func TestResourcesAndPrompts(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	spec := realServer("node", everything(t), "stdio")
	h.pool.Apply([]Spec{spec})
	h.running(spec.Name)
	resources, err := h.pool.Resources(t.Context(), spec.Key, "")
	if err != nil {
		t.Fatal(err)
	}
	var listed struct {
		Resources []struct{ URI string }
		Prompts   []struct{ Name string }
	}
	if err := json.Unmarshal(resources.Raw, &listed); err != nil || len(listed.Resources) == 0 {
		t.Fatalf("got %s %v", resources.Raw, err)
	}
	read, err := h.pool.ReadResource(t.Context(), spec.Key, listed.Resources[0].URI)
	if err != nil || !strings.Contains(string(read.Raw), `"contents":[{`) {
		t.Errorf("got %+v %v", read, err)
	}
	prompts, err := h.pool.Prompts(t.Context(), spec.Key, "")
	if err != nil || json.Unmarshal(prompts.Raw, &listed) != nil || len(listed.Prompts) == 0 {
		t.Fatalf("got %+v %v", prompts, err)
	}
	got, err := h.pool.GetPrompt(t.Context(), spec.Key, "args-prompt", map[string]string{"city": "Turin"})
	if err != nil || !strings.Contains(string(got.Raw), "Turin") {
		t.Errorf("got %+v %v", got, err)
	}
	_, err = h.pool.GetPrompt(t.Context(), spec.Key, "no-such-prompt", nil)
	fails(t, err, Rejected)
	_, err = h.pool.ReadResource(t.Context(), Key{Server: "nobody"}, "x:y")
	fails(t, err, NoServer)
}

func TestElicitationIsDeclinedAndNoted(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	spec := realServer("node", everything(t), "stdio")
	h.pool.Apply([]Spec{spec})
	h.running(spec.Name)
	asksAndIsDeclined(t, h, spec)
}

// asksAndIsDeclined has a server ask for input: it is declined, and the result
// says that it asked.
func asksAndIsDeclined(t *testing.T, h *house, spec Spec) {
	t.Helper()
	var res *Result
	eventually(t, "the tool is there", func() bool { // it comes once our capabilities are known
		var err error
		res, err = h.pool.Call(t.Context(), spec.Key, "trigger-elicitation-request", nil)
		return err == nil && !strings.Contains(string(res.Content), "not found")
	})
	if !res.AskedForInput || !strings.Contains(string(res.Content), "declined") {
		t.Errorf("got %s, asked %v", res.Raw, res.AskedForInput)
	}
	res, err := h.pool.Call(t.Context(), spec.Key, "echo", json.RawMessage(`{"message":"x"}`))
	if err != nil || res.AskedForInput {
		t.Errorf("got %+v %v", res, err)
	}
}

func TestControlCharactersAreTakenOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"none":                  {`{"a":"b\n\t\r\"\\"}`, `{"a":"b\n\t\r\"\\"}`},
		"escapes":               {`{"a":"\u001b[31mred\u0007\u0000\b\f"}`, `{"a":"[31mred"}`},
		"of the second kind":    {`{"a":"x\u009by` + "\u0085" + `z"}`, `{"a":"xyz"}`},
		"delete":                {"{\"a\":\"x\x7fy\\u007F\"}", `{"a":"xy"}`},
		"an escaped backslash":  {`{"a":"\\u001b \\\\b"}`, `{"a":"\\u001b \\\\b"}`},
		"behind one":            {`{"a":"\\\u001b"}`, `{"a":"\\"}`},
		"line ends as numbers":  {`{"a":"\u000a\u0009\u000d"}`, `{"a":"\u000a\u0009\u000d"}`},
		"letters and emoji":     {`{"a":"ñ 名前 \u00e9 😀"}`, `{"a":"ñ 名前 \u00e9 😀"}`},
		"one that hides a word": {`{"a":"sec\u0000ret"}`, `{"a":"secret"}`},
	} {
		got := stripControl([]byte(c.text))
		if string(got) != c.want || !json.Valid(got) {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

func FuzzStripControl(f *testing.F) {
	f.Add([]byte(`{"a":"\u001b\\\u0000` + "\u0085" + `"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) {
			return
		}
		got := stripControl(text)
		if !json.Valid(got) {
			t.Fatalf("%q became %q", text, got)
		}
		if again := stripControl(got); string(again) != string(got) {
			t.Fatalf("%q is not clean", got)
		}
	})
}

func TestArgumentsAsHeaders(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		schema, args string
		want         map[string]string
		invalid      string
	}{
		"of each type": {
			`{"properties":{"r":{"type":"string","x-mcp-header":"Region"},"n":{"type":"integer","x-mcp-header":"N"},"b":{"type":"boolean","x-mcp-header":"B"},"o":{"type":"string"}}}`,
			`{"r":"eu west","n":3.0,"b":false,"o":"x"}`, map[string]string{"Region": "eu west", "N": "3", "B": "false"}, ""},
		"nested":      {`{"properties":{"a":{"properties":{"b":{"type":"string","x-mcp-header":"Deep"}}}}}`, `{"a":{"b":"x"}}`, map[string]string{"Deep": "x"}, ""},
		"not ASCII":   {`{"properties":{"r":{"type":"string","x-mcp-header":"R"}}}`, `{"r":"né"}`, map[string]string{"R": "=?base64?bsOp?="}, ""},
		"left out":    {`{"properties":{"r":{"type":"string","x-mcp-header":"R"}}}`, `{"r":null}`, map[string]string{}, ""},
		"too large":   {`{"properties":{"r":{"type":"integer","x-mcp-header":"R"}}}`, `{"r":9007199254740993000}`, map[string]string{}, ""},
		"a number":    {`{"properties":{"r":{"type":"number","x-mcp-header":"R"}}}`, `{}`, nil, "the x-mcp-header of r is on neither a string, an integer nor a boolean"},
		"no name":     {`{"properties":{"r":{"type":"string","x-mcp-header":"a b"}}}`, `{}`, nil, "the x-mcp-header of r is no name of a header"},
		"not a text":  {`{"properties":{"r":{"type":"string","x-mcp-header":7}}}`, `{}`, nil, "the x-mcp-header of r is no name of a header"},
		"given twice": {`{"properties":{"r":{"type":"string","x-mcp-header":"R"},"s":{"type":"string","x-mcp-header":"r"}}}`, `{}`, nil, `two of its arguments have the x-mcp-header "r"`},
	} {
		bound, err := paramHeaders(json.RawMessage(c.schema))
		if err != nil || c.invalid != "" {
			listed, _ := decodeTool(json.RawMessage(`{"name":"t","inputSchema":` + c.schema + `}`))
			if err == nil || err.Error() != c.invalid || listed.Invalid != c.invalid {
				t.Errorf("%s: got %v, and of the tool %q", name, err, listed.Invalid)
			}
			continue
		}
		got := map[string]string{}
		for _, b := range bound {
			if value, err := argument(json.RawMessage(c.args), b.path); err == nil {
				got[b.header] = headerText(value)
			}
		}
		if g, w := mustJSON(got), mustJSON(c.want); g != w {
			t.Errorf("%s: got %s, want %s", name, g, w)
		}
	}
}

func mustJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
