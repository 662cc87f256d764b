package door

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

func envelope(t *testing.T, r *mcp.CallToolResult) map[string]any {
	t.Helper()
	var env map[string]any
	raw, _ := r.StructuredContent.(json.RawMessage)
	text, ok := r.Content[0].(mcp.TextContent)
	if err := json.Unmarshal(raw, &env); err != nil || !r.IsError || !ok || text.Text != string(raw) {
		t.Fatalf("%v: %+v", err, r)
	}
	return env
}

func TestRefusalsAreResults(t *testing.T) {
	lost := refusal.UnknownOutcome.Say("Not confirmed.").With("outcome", "unknown").With("op_id", "k").For(errors.New("swordfish"))
	for name, c := range map[string]struct {
		no   *refusal.Refusal
		key  string
		want map[string]any
	}{
		"a field":      {refusal.Invalid.Say("No.").On("name"), "", map[string]any{"error": "invalid", "message": "No.", "fields": map[string]any{"name": "No."}}},
		"of a write":   {refusal.Conflict.Say("No."), "k", map[string]any{"error": "conflict", "message": "No.", "op_id": "k"}},
		"wait":         {refusal.RateLimited.Say("No.").After(1500 * time.Millisecond), "", map[string]any{"error": "rate_limited", "message": "No.", "retry_after": 2.0}},
		"not known":    {lost, "k", map[string]any{"error": "unknown", "message": "Not confirmed.", "outcome": "unknown", "op_id": "k"}},
		"unclassified": {refusal.Of(errors.New("swordfish")), "", map[string]any{"error": "internal_error", "message": refusal.Of(errors.New("x")).Says}},
	} {
		t.Run(name, func(t *testing.T) {
			got := envelope(t, refused(c.no, c.key))
			if !maps.EqualFunc(got, c.want, func(a, b any) bool { return encoded(a) == encoded(b) }) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func encoded(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

type paged struct {
	Limit int `json:"limit,omitempty"`
}

// A read that could be asked for less is refused past the limit; one that
// could not is answered whole, and so is what was written.
func TestLongAnswers(t *testing.T) {
	long := json.RawMessage(`{"text":"` + strings.Repeat("x", MaxAnswer) + `"}`)
	spec := tool.Spec{Name: "read_text", Title: "Read", Brief: "Read.", Access: access.Self(), Audience: tool.Operators, Mode: tool.Read}
	whole := tool.Declare(spec, func(context.Context, *tool.Call, struct{}) (wrote, error) { return wrote{}, nil }).Any()
	parts := tool.Declare(spec, func(context.Context, *tool.Call, paged) (wrote, error) { return wrote{}, nil }).Any()
	spec.Mode = tool.Write
	write := tool.Declare(spec, func(context.Context, *tool.Call, paged) (wrote, error) { return wrote{}, nil }).Any()
	for name, c := range map[string]struct {
		tool    tool.Tool
		answer  json.RawMessage
		refused bool
	}{
		"in parts": {parts, long, true}, "short": {parts, json.RawMessage(`{}`), false}, "whole": {whole, long, false}, "written": {write, long, false},
	} {
		t.Run(name, func(t *testing.T) {
			c.tool.Do = func(context.Context, *tool.Runner, *tool.Call, json.RawMessage) (json.RawMessage, error) {
				return c.answer, nil
			}
			got := (&Door{o: Options{Offers: func(string) bool { return true }}}).call(t.Context(), entry{tool: c.tool, offered: true}, &tool.Call{}, nil)
			if got.IsError != c.refused {
				t.Fatalf("refused: %v", got.IsError)
			}
			if c.refused && (envelope(t, got)["error"] != "invalid" || !strings.Contains(encoded(envelope(t, got)["fields"]), "limit")) {
				t.Errorf("answered %v", envelope(t, got))
			}
		})
	}
}
