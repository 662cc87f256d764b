package servers

import (
	"strings"
	"testing"

	"crewlet/db/dbtest"
	"crewlet/engine/tool"
)

// starts counts the lives of servers a node has begun.
func (h *house) starts() int {
	return strings.Count(h.log.String(), `"msg":"mcp_server_started"`) + strings.Count(h.log.String(), `"msg":"server_restarted"`)
}

// A node that starts serves a lazy server's tools as they were listed last, and
// starts it for a call alone; where its declaration or a secret is another, it
// is listed first.
func TestLazyServerIsServedFromItsCatalogue(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	first := openHouse(t, d, "node-1", nil)
	first.store("SAYS_IT", " softly")
	first.declare(tiny("alpha", "start: lazy\nenv: {SAYS: \"${SAYS_IT}\"}", "echo"))
	first.until("it is listed and rests", func(o Overview) bool {
		sv, _ := find(o, "alpha")
		return sv.Tools == 1 && sv.State == NotStarted && sv.Phase == ""
	})
	if n := first.starts(); n != 1 {
		t.Errorf("it was started %d times to be listed", n)
	}
	revision := first.rev
	first.end()

	next := openHouse(t, d, "node-1", nil)
	next.rev = revision
	o := next.until("it is ready", func(o Overview) bool {
		sv, _ := find(o, "alpha")
		return len(o.Nodes) == 1 && o.Nodes[0].Revision == revision && strings.Contains(sv.Reason, "first call")
	})
	if sv, _ := find(o, "alpha"); sv.State != NotStarted || sv.Tools != 1 || toolNames(o, "mcp:alpha") != "echo" {
		t.Errorf("got %+v", sv)
	}
	if n := next.starts(); n != 0 {
		t.Errorf("it was started %d times before anybody called", n)
	}
	next.until("its page says so", func(Overview) bool {
		page, err := tool.Do(t.Context(), next.run, next.servers.GetServer, admin(), GetServer{Name: "alpha"})
		return err == nil && strings.HasPrefix(page.History[0].Says, "Ready:")
	})
	if out, _, err := next.called(t, "echo", "hi"); err != nil || !strings.HasPrefix(out.Content[0].Text, "echo said hi") {
		t.Fatalf("answer %+v %v", out, err)
	}
	next.end()

	last := openHouse(t, d, "node-1", nil)
	last.rev = revision
	last.store("SAYS_IT", " aloud")
	last.until("it is listed anew for its new secret", func(Overview) bool { return last.starts() == 1 })
}
