package servers

import (
	"strings"
	"testing"
)

// A server that ran and whose restart is held back is told apart in the log
// from one that never started.
func TestAHeldBackRestartIsLogged(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "", "echo"))
	h.in("alpha", Running)
	h.declare(tiny("alpha", "env: {TOKEN: \"${GONE_A}\"}", "echo") + tiny("beta", "env: {TOKEN: \"${GONE_B}\"}", "echo"))
	h.in("alpha", Failing)
	h.in("beta", Failing)
	var told []string
	for line := range strings.Lines(h.log.String()) {
		if strings.Contains(line, `"msg":"server_restart_held_back"`) {
			told = append(told, line)
		}
	}
	if len(told) != 1 || !strings.Contains(told[0], `"server":"alpha"`) {
		t.Errorf("got %q", told)
	}
}
