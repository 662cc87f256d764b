package servers

import (
	"slices"
	"testing"

	"crewlet/engine/tool"
)

// instance waits for the one instance of a server to fit.
func (h *house) instance(name string, fits func(Instance) bool) Instance {
	h.t.Helper()
	var last Instance
	h.until("its one instance fits", func(Overview) bool {
		page, err := tool.Do(h.t.Context(), h.run, h.servers.GetServer, admin(), GetServer{Name: name})
		if err != nil || len(page.Instances) != 1 {
			return false
		}
		last = page.Instances[0]
		return fits(last)
	})
	return last
}

// A page tells how long each phase of a start took, and what was skipped on
// the stdout of a server that runs.
func TestAStartIsTold(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.store("SAYS_IT", "canary-37")
	h.declare(tiny("alpha", "env: {SAYS: \"${SAYS_IT}\"}", "+stray", "echo") + tiny("beta", "", "echo"))
	got := h.instance("alpha", func(i Instance) bool { return i.State == "running" && i.Skipped == 2 })
	if !slices.Equal(got.SkippedLines, []string{"Hello!", "I am [redacted]"}) {
		t.Errorf("skipped were %q", got.SkippedLines)
	}
	var phases []string
	for _, p := range got.Phases {
		phases = append(phases, p.Phase)
	}
	if !slices.Equal(phases, []string{"starting", "handshaking", "listing"}) {
		t.Errorf("got phases %v", got.Phases)
	}
	if quiet := h.instance("beta", func(i Instance) bool { return i.State == "running" }); quiet.Skipped != 0 || len(quiet.SkippedLines) > 0 {
		t.Errorf("got %+v", quiet)
	}
}
