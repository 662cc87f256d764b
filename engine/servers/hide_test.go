package servers

import (
	"strings"
	"testing"
)

// A sealed value is hidden whomever it belongs to, from when it is stored; no
// server is started anew for it.
func TestSealedValuesOfOthersAreHidden(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "", "echo"))
	h.in("alpha", Running)
	pid := h.pid(h.in("alpha", Running).ID)
	if out, _, err := h.called(t, "echo", "swordfish-9"); err != nil || out.Content[0].Text != "echo said swordfish-9" {
		t.Fatalf("got %+v %v", out, err)
	}
	h.store("NOBODYS", "swordfish-9")
	h.until("the value is hidden", func(Overview) bool {
		out, _, err := h.called(t, "echo", "swordfish-9")
		return err == nil && !strings.Contains(out.Content[0].Text, "swordfish")
	})
	if now := h.pid(h.in("alpha", Running).ID); now != pid || pid == 0 {
		t.Errorf("the child was %d and is %d", pid, now)
	}
}
