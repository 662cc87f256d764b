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
