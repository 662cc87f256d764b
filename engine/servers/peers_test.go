package servers

import (
	"encoding/json"
	"testing"
	"time"

	"crewlet/engine/changes"
)

func TestPeersFollowTheLog(t *testing.T) {
	t.Parallel()
	row := func(node string, revision int64, failed string) changes.Change {
		deltas, _ := json.Marshal(map[string]changes.Delta{"node": {To: node}, "revision": {To: revision}, "error": {To: failed}})
		return changes.Change{Kind: appliedKind, Object: "node:" + node, Deltas: deltas, At: time.Now()}
	}
	p := &peers{}
	p.hear(row("a", 1, ""))
	if p.list() != nil {
		t.Error("nodes are known before the first beat")
	}
	before := p.mark()
	p.see([]Node{{ID: "a", Revision: 1, Live: true}}, before)
	p.hear(row("a", 2, "broken"))
	p.hear(row("b", 2, ""))
	if got := p.list(); len(got) != 2 || got[0].Revision != 2 || got[0].ApplyError != "broken" || got[1].Name != "b" || !got[1].Live {
		t.Errorf("nodes %+v", got)
	}
	// Rows read before the log told something do not take it back.
	p.see([]Node{{ID: "a", Revision: 1}, {ID: "b"}}, before)
	if got := p.list(); got[0].Revision != 2 || got[1].Revision != 2 {
		t.Errorf("nodes %+v", got)
	}
	p.see([]Node{{ID: "a", Revision: 3}}, p.mark())
	if got := p.list(); len(got) != 1 || got[0].Revision != 3 {
		t.Errorf("nodes %+v", got)
	}
}

func TestPeersTellWhoFellSilent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after []Node
		moved         bool
	}{
		"the first beat":  {nil, []Node{{ID: "a", Live: true}}, false},
		"as before":       {[]Node{{ID: "a", Live: true}, {ID: "b"}}, []Node{{ID: "a", Live: true, Revision: 2}, {ID: "b"}}, false},
		"another order":   {[]Node{{ID: "a", Live: true}, {ID: "b", Live: true}}, []Node{{ID: "b", Live: true}, {ID: "a", Live: true}}, false},
		"silent":          {[]Node{{ID: "a", Live: true}, {ID: "b", Live: true}}, []Node{{ID: "a", Live: true}, {ID: "b"}}, true},
		"gone":            {[]Node{{ID: "a", Live: true}, {ID: "b", Live: true}}, []Node{{ID: "a", Live: true}}, true},
		"a dead one gone": {[]Node{{ID: "a", Live: true}, {ID: "b"}}, []Node{{ID: "a", Live: true}}, false},
		"back":            {[]Node{{ID: "a", Live: true}, {ID: "b"}}, []Node{{ID: "a", Live: true}, {ID: "b", Live: true}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &peers{nodes: c.before}
			if got := p.see(c.after, p.mark()); got != c.moved {
				t.Errorf("got %v, want %v", got, c.moved)
			}
		})
	}
}
