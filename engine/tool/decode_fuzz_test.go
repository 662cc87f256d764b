package tool

import (
	"encoding/json"
	"testing"
	"time"
	"unicode/utf8"

	"crewlet/engine/refusal"
)

// shapes has an argument of every kind.
type shapes struct {
	Title string            `json:"title,omitempty" validate:"max=20"`
	Count int               `json:"count,omitempty" validate:"min=0"`
	Share float64           `json:"share,omitempty"`
	Maybe *bool             `json:"maybe,omitempty"`
	When  time.Time         `json:"when,omitzero"`
	Tags  []string          `json:"tags,omitempty" validate:"max=3,dive,max=5"`
	Env   map[string]string `json:"env,omitempty"`
	Parts []part            `json:"parts,omitempty" validate:"dive"`
	One   *part             `json:"one,omitempty"`
	Raw   json.RawMessage   `json:"raw,omitempty"`
	Bytes []byte            `json:"bytes,omitempty"`
}

// Whatever is sent as arguments is taken or refused in words; what is taken
// says the same when it is sent again.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `{}`, `[]`, `{"title":"a","count":7,"share":0.5,"maybe":true}`, `{"when":"2026-01-02T03:04:05Z","tags":["a","b"],"env":{"A":"b"}}`,
		`{"parts":[{"path":"a","of":{"x":[1]}},{"paht":1}],"one":null}`, `{"raw":{"a":[1,2]},"bytes":"aGk="}`, `{"Title":"a"}`, `{"op_id":"x"}`,
		`{"title":"a"}{}`, `{"title":`, `{"count":1e99}`, `{"when":"tomorrow"}`, `{"title":"\u0000\ud800"}`, "{\"title\":\"\xff\"}", `{"env":{"":1}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		in, err := Decode[shapes](raw)
		if err == nil {
			in, err = Check(in)
		}
		if err != nil {
			inWords(t, err)
			return
		}
		again, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode[shapes](again)
		if err == nil {
			back, err = Check(back)
		}
		if err != nil {
			t.Fatalf("%s was taken, and %s is not: %v", raw, again, err)
		}
		if once, _ := json.Marshal(back); string(once) != string(again) {
			t.Errorf("%s comes back as %s", again, once)
		}
	})
}

// inWords fails for a refusal that cannot be read.
func inWords(t *testing.T, err error) {
	t.Helper()
	no := refusal.Of(err)
	switch no.Class {
	case refusal.Invalid, refusal.Malformed, refusal.OpIDInvalid:
	default:
		t.Errorf("refused with %v: %v", no, no.Cause)
	}
	for field, says := range no.Fields {
		if says == "" || !utf8.ValidString(field+says) {
			t.Errorf("%q is told %q", field, says)
		}
	}
}
