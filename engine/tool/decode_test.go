package tool

import (
	"testing"

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
