package tool

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"crewlet/engine/refusal"
)

func TestDecode(t *testing.T) {
	for name, c := range map[string]struct {
		raw   string
		class refusal.Class
		field string
	}{
		"right":               {`{"text": "a", "also": 2}`, "", ""},
		"nothing":             {``, "", ""},
		"unknown":             {`{"text": "a", "txet": "b"}`, refusal.Invalid, "txet"},
		"case is not ignored": {`{"Text": "a"}`, refusal.Invalid, "Text"},
		"wrong type":          {`{"text": 3}`, refusal.Invalid, "text"},
		"a list":              {`["a"]`, refusal.Malformed, ""},
		"cut off":             {`{"text": "a`, refusal.Malformed, ""},
		"two objects":         {`{"text": "a"} {}`, refusal.Malformed, ""},
		"null":                {`null`, "", ""},
		"no UTF-8":            {"{\"text\": \"\xff\"}", refusal.Malformed, ""},
		"half a pair":         {`{"text": "a\ud83d b"}`, refusal.Malformed, ""},
		"the other half":      {`{"text": "\uDE00"}`, refusal.Malformed, ""},
		"halves apart":        {`{"text": "\ud83d-\ude00"}`, refusal.Malformed, ""},
		"half a pair at last": {`{"\ud83d`, refusal.Malformed, ""},
		"a pair":              {`{"text": "\ud83d\ude00\n\\ud83d\u00e4"}`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Decode[noteArgs]([]byte(c.raw))
			no := refusal.Of(err)
			if (no == nil) != (c.class == "") || no != nil && (no.Class != c.class || c.field != "" && no.Fields[c.field] == "") {
				t.Errorf("got %v, want %q on %q", err, c.class, c.field)
			}
		})
	}
}

func TestAWrongTypeIsToldInWords(t *testing.T) {
	type args struct {
		List  []string       `json:"list"`
		Map   map[string]int `json:"map"`
		Text  string         `json:"text"`
		Flag  bool           `json:"flag"`
		Count int            `json:"count"`
	}
	for raw, says := range map[string]string{
		`{"list": {}}`:    "list is an object here; it wants a list.",
		`{"map": []}`:     "map is a list here; it wants an object.",
		`{"text": 3}`:     "text is a number here; it wants text.",
		`{"flag": "a"}`:   "flag is text here; it wants true or false.",
		`{"count": true}`: "count is true or false here; it wants a whole number.",
		`{"count": 1.5}`:  "count is a number here; it wants a whole number.",
		`{"count": 1e99}`: "count is a number here; it wants a whole number.",
	} {
		_, err := Decode[args]([]byte(raw))
		if no := refusal.Of(err); no == nil || no.Says != says {
			t.Errorf("%s is told %v, want %q", raw, err, says)
		}
	}
}

func TestAStrangeNameIsToldByItsPath(t *testing.T) {
	type step struct {
		Op   string    `json:"op"`
		When time.Time `json:"when,omitzero"`
	}
	type args struct {
		Steps []step          `json:"steps"`
		By    map[string]step `json:"by"`
		One   *step           `json:"one"`
		Raw   json.RawMessage `json:"raw"`
	}
	many := `{"steps":[{`
	for i := range 100 {
		many += fmt.Sprintf(`"x%d":1,`, i)
	}
	for name, c := range map[string]struct {
		raw    string
		class  refusal.Class
		fields map[string]string
		count  int
	}{
		"in a list":                     {`{"steps":[{"op":"a"},{"po":"b"}]}`, refusal.Invalid, map[string]string{"steps[1].po": `There is no "po" in steps[1]; did you mean "op"?`}, 1},
		"in a map":                      {`{"by":{"a":{"colour":1}}}`, refusal.Invalid, map[string]string{"by.a.colour": `There is no "colour" in by.a; there are op, when.`}, 1},
		"in an object, in another case": {`{"one":{"OP":"a"}}`, refusal.Invalid, map[string]string{"one.OP": `There is no "OP" in one; did you mean "op"?`}, 1},
		"several":                       {`{"one":{"x":1},"y":2}`, refusal.Invalid, map[string]string{"one.x": "", "y": ""}, 2},
		"no moment":                     {`{"one":{"when":"tomorrow"}}`, refusal.Invalid, map[string]string{"one.when": "one.when is a moment, such as 2026-01-02T15:04:05Z."}, 1},
		"anything":                      {`{"raw":{"op":1,"x":[{}]},"one":null}`, "", nil, 0},
		"a great many":                  {strings.TrimSuffix(many, ",") + "}]}", refusal.Invalid, nil, 20},
		"a long one":                    {`{"` + strings.Repeat("é", 1000) + `":1}`, refusal.Invalid, map[string]string{strings.Repeat("é", 50) + "…": ""}, 1},
		"a key":                         {`{"op_id":"x"}`, refusal.OpIDInvalid, map[string]string{"op_id": ""}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Decode[args]([]byte(c.raw))
			no := refusal.Of(err)
			if no == nil {
				no = &refusal.Refusal{}
			}
			if no.Class != c.class || len(no.Fields) != c.count {
				t.Fatalf("got %v %v, want %q and %d fields", err, no.Fields, c.class, c.count)
			}
			for field, says := range c.fields {
				if no.Fields[field] == "" || says != "" && no.Fields[field] != says {
					t.Errorf("%s is told %q, want %q", field, no.Fields[field], says)
				}
			}
		})
	}
}
