package servers

import (
	"testing"

	"crewlet/engine/servers"
)

func TestAStartInWords(t *testing.T) {
	t.Parallel()
	took := []servers.Phase{{Phase: "starting", TookMS: 8}, {Phase: "fetching", TookMS: 2_000}, {Phase: "handshaking", TookMS: 1_292}}
	for name, c := range map[string]struct {
		in   servers.Instance
		want string
	}{
		"up":        {servers.Instance{State: "running", Phases: took}, "Started in 3.3 s: starting 8 ms, fetching its package 2.0 s, shaking hands 1.3 s."},
		"failed":    {servers.Instance{State: "failed", Phases: took[:1]}, "The last start failed after 8 ms: starting 8 ms."},
		"under way": {servers.Instance{State: "starting", Phases: took[:1]}, "So far: starting 8 ms."},
		"at rest":   {servers.Instance{State: "idle", Phases: took[:1]}, "The last start took 8 ms: starting 8 ms."},
		"unknown":   {servers.Instance{State: "running"}, ""},
	} {
		if got := phases(c.in); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	for _, c := range []struct {
		count, shown int
		want         string
	}{
		{1, 1, "A line on its stdout that is no message was skipped"},
		{3, 3, "3 lines on its stdout that are no messages were skipped"},
		{900, 5, "900 lines on its stdout that are no messages were skipped; the first 5"},
	} {
		if got := skipped(c.count, c.shown); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
