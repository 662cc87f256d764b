package servers

import (
	"testing"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

func TestRestart(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "", "echo") + tiny("off", "enabled: false", "echo") + tiny("per-seat", "shared: false", "echo"))
	sv := h.in("alpha", Running)
	first := h.pid(sv.ID)
	for name, c := range map[string]struct {
		server string
		class  refusal.Class
	}{
		"running":     {"alpha", ""},
		"unknown":     {"nope", refusal.NotFound},
		"disabled":    {"off", refusal.NotRunning},
		"not started": {"per-seat", refusal.NotRunning},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tool.Do(t.Context(), h.run, h.servers.Restart, admin(), RestartServer{Name: c.server})
			if no := refusal.Of(err); (no == nil) != (c.class == "") || no != nil && no.Class != c.class {
				t.Errorf("got %v, want %q", err, c.class)
			}
		})
	}
	h.until("it runs anew", func(o Overview) bool {
		now, _ := find(o, "alpha")
		pid := h.pid(sv.ID)
		return now.State == Running && pid != 0 && pid != first
	})
}
