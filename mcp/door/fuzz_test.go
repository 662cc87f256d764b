package door

import (
	"encoding/json"
	"testing"
)

// Whatever is sent as arguments: the key is off it, and what is left is as
// good JSON as it was.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{`{"a":1,"op_id":"k"}`, `{"op_id":null}`, `{"op_id":{"a":[]},"op_id":7}`, `{"\u006fp_id":"k"}`, `null`, `[]`, ``, `{"a":"\ud800"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		rest, key := takeKey(raw)
		if key == "" {
			t.Errorf("%q leaves no key", raw)
		}
		var given, left map[string]json.RawMessage
		if json.Unmarshal(raw, &given) != nil {
			return
		}
		if err := json.Unmarshal(rest, &left); err != nil {
			t.Fatalf("%q leaves %q: %v", raw, rest, err)
		}
		if _, stays := left["op_id"]; stays {
			t.Errorf("%q leaves %q", raw, rest)
		}
	})
}

// Whatever a schema is, what is cut of it is a schema.
func FuzzSchema(f *testing.F) {
	for _, seed := range []string{`{"properties":{"a":{"items":{"maxLength":1}}}}`, `{"properties":[]}`, `{"items":true}`, `{"a":1,"a":2}`, `true`, `{"minimum":0.0}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := slimmed(raw)
		if err != nil || !json.Valid(raw) {
			return
		}
		if !json.Valid(got) {
			t.Errorf("%q is cut to %q", raw, got)
		}
	})
}
