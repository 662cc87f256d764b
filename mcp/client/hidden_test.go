package client

import (
	"strings"
	"testing"
)

// What is hidden for all may change under a redactor that is at work.
func TestHiddenValuesAreLive(t *testing.T) {
	t.Parallel()
	var h Hidden
	r := newRedactor([]string{"mine-alone"}, &h)
	if got := r.line("mine-alone swordfish abcdefghi"); got != "[redacted] swordfish abcdefghi" {
		t.Errorf("before: %s", got)
	}
	if got := string(h.JSON([]byte(`{"a":"swordfish"}`))); got != `{"a":"swordfish"}` {
		t.Errorf("of no values: %s", got)
	}
	h.Set([]string{"swordfish", "alone-and-more", "swordfish"})
	for in, want := range map[string]string{
		"mine-alone swordfish": "[redacted] [redacted]",
		"mine-alone-and-more":  "[redacted]", // they overlap, and are one stretch
		"c3dvcmRmaXNo":         "[redacted]",
	} {
		if got := r.line(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
	if got := string(r.raw([]byte(`{"swordfish":1,"b":"sword\u0066ish"}`))); got != `{"[redacted]":1,"b":"[redacted]"}` {
		t.Errorf("JSON: %s", got)
	}
	if got := r.clipped("x"+strings.Repeat(" ", 10)+"swordfish", 12); got != "x"+strings.Repeat(" ", 10)+"[…" {
		t.Errorf("clipped: %q", got)
	}
	h.Set(nil)
	if got := r.line("mine-alone swordfish"); got != "[redacted] swordfish" {
		t.Errorf("after: %s", got)
	}
}

// A value of somebody else's is hidden from the moment it is one, and nothing
// is restarted for it.
func TestHiddenValuesOfOthers(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	h.pool.hidden = &Hidden{}
	spec := fault("beside")
	h.pool.Apply([]Spec{spec})
	h.running("beside")
	at := h.now()
	for i, c := range []struct {
		hidden []string
		says   string
	}{{nil, "echo"}, {[]string{"echo"}, redacted}, {[]string{"something else"}, "echo"}} {
		h.pool.hidden.Set(c.hidden)
		res, err := h.pool.Call(t.Context(), spec.Key, "echo", nil)
		if err != nil || !strings.Contains(string(res.Content), c.says) || strings.Contains(string(res.Content), "echo") != (c.says == "echo") {
			t.Errorf("call %d: %s %v", i, res.Content, err)
		}
	}
	if h.now() != at {
		t.Error("something was restarted")
	}
}
