package tool

import (
	"encoding/json"
	"reflect"
	"testing"

	"crewlet/engine/refusal"
)

func TestMaybe(t *testing.T) {
	type in struct {
		Due Maybe[string] `json:"due,omitzero"`
		Min Maybe[int]    `json:"min,omitzero"`
	}
	for text, want := range map[string]in{
		`{}`:                    {},
		`{"due":null,"min":3}`:  {Due: Cleared[string](), Min: Some(3)},
		`{"due":"today"}`:       {Due: Some("today")},
		`{"due":"","min":null}`: {Due: Some(""), Min: Cleared[int]()},
	} {
		got, err := Decode[in](json.RawMessage(text))
		if err != nil || got != want {
			t.Errorf("%s is %+v, %v", text, got, err)
		}
		if back, err := json.Marshal(got); err != nil || string(back) != text {
			t.Errorf("%s comes back as %s, %v", text, back, err)
		}
	}
	if _, err := Decode[in](json.RawMessage(`{"min":"three"}`)); !refusal.Is(err, refusal.Invalid) {
		t.Errorf("text for a number: %v", err)
	}
	if _, err := Check(in{Due: Some("a\x00b")}); refusal.Of(err) == nil || refusal.Of(err).Fields["due"] == "" {
		t.Errorf("NUL: %v", err)
	}
}

func TestAnArgumentThatMayBeNullIsDescribedSo(t *testing.T) {
	type in struct {
		Due Maybe[string] `json:"due,omitzero" jsonschema:"a day"`
		Min Maybe[int]    `json:"min,omitzero" jsonschema:"minutes"`
	}
	got := string(described(reflect.TypeFor[in](), true)())
	want := `{"type":"object","properties":{"due":{"type":["null","string"],"description":"a day"},"min":{"type":["null","integer"],"description":"minutes"}},"additionalProperties":false}`
	if got != want {
		t.Errorf("got %s", got)
	}
}
