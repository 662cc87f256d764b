package servers

import (
	"strings"
	"testing"

	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// newestCall waits until so many calls are recorded and reads the newest.
func (h *house) newestCall(t *testing.T, count int) CallRead {
	t.Helper()
	var list CallList
	h.until("the call is recorded", func(Overview) bool {
		var err error
		list, err = tool.Do(t.Context(), h.run, h.servers.ListCalls, admin(), ListCalls{})
		return err == nil && list.Stats.Calls == int64(count)
	})
	out, err := tool.Do(t.Context(), h.run, h.servers.GetCall, admin(), GetCall{ID: list.Calls[0].ID})
	if err != nil || out.Kept != list.Calls[0].Kept {
		t.Fatalf("read the call: %+v %v", out, err)
	}
	return out
}

func text(s *string) string {
	if s == nil {
		return "<none>"
	}
	return *s
}

// Where the company keeps what is said, it is kept apart, without sealed values.
func TestPayloadsAreKeptWhereTheCompanySaysSo(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.store("NOBODYS", "swordfish-9")
	alpha := tiny("alpha", "", "echo", "read_it", "fail", "die", "huge")
	h.declare(alpha)
	h.in("alpha", Running)
	if _, _, err := h.called(t, "echo", "not kept"); err != nil {
		t.Fatal(err)
	}
	if got := h.newestCall(t, 1); got.Kept || got.Arguments != nil || got.Result != nil {
		t.Errorf("kept where nobody said so: %+v", got)
	}
	h.declare(alpha + "audit: {payloads: true}\n")
	h.until("it is kept from now on", func(Overview) bool {
		of, err := h.servers.offer(t.Context(), "echo")
		return err == nil && of.payloads
	})
	for i, c := range []struct{ tool, text, arguments, result string }{
		{"echo", "a swordfish-9", `{"text":"a [redacted]"}`, "echo said a [redacted]"},
		{"read_it", "it", `{"text":"it"}`, "read_it said it"},
		{"fail", "on", `{"text":"on"}`, "fail said on"},
		{"huge", "", `{"text":""}`, "<none>"},
		{"echo", strings.Repeat("x", keptPayload), "<none>", "<none>"},
		{"die", "now", `{"text":"now"}`, "went down while die ran"},
	} {
		_, _, err := h.called(t, c.tool, c.text)
		if (err != nil) != (c.tool == "die") {
			t.Fatal(err)
		}
		got := h.newestCall(t, i+2)
		if !got.Kept || got.Tool != c.tool || text(got.Arguments) != c.arguments || !strings.Contains(text(got.Result), c.result) {
			t.Errorf("%s: kept %.200s, %.200s", c.tool, text(got.Arguments), text(got.Result))
		}
	}
	reader := admin()
	reader.By.Grants = access.StateRead
	if _, err := tool.Do(t.Context(), h.run, h.servers.GetCall, reader, GetCall{ID: 1}); !refusal.Is(err, refusal.Forbidden) {
		t.Errorf("read without audit:read: %v", err)
	}
	if _, err := tool.Do(t.Context(), h.run, h.servers.GetCall, admin(), GetCall{ID: 999}); !refusal.Is(err, refusal.NotFound) {
		t.Errorf("read what is not there: %v", err)
	}
}

// What was said is forgotten with the call.
func TestPayloadsAreForgotten(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "", "echo") + "audit: {payloads: true, retention_days: 3}\n")
	h.in("alpha", Running)
	for _, said := range []string{"old", "new"} {
		if _, _, err := h.called(t, "echo", said); err != nil {
			t.Fatal(err)
		}
	}
	err := h.db.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE mcp_payloads SET at = at - interval '4 days' WHERE arguments LIKE '%old%'`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	h.servers.forgetCalls(t.Context())
	if n := h.count(`SELECT count(*) FROM mcp_payloads`); n != 1 {
		t.Errorf("%d payloads are left", n)
	}
	if got := h.newestCall(t, 2); !got.Kept || !strings.Contains(text(got.Result), "echo said new") {
		t.Errorf("the new one: %+v", got)
	}
}
