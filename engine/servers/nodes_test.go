package servers

import (
	"sync/atomic"
	"testing"
	"time"

	"crewlet/db"
	"crewlet/db/dbtest"
)

func TestSilentNodeIsNotReported(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.declare(tiny("alpha", "", "echo"))
	h.in("alpha", Running)
	h.end()
	err := h.db.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(t.Context(), `
			INSERT INTO nodes (id, name, url, version, started_at, seen_at)
			VALUES ('gone', 'gone', '', '', now(), now() - interval '50 seconds')`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	at := h.page(t, "alpha")
	if len(at.Instances) != 0 {
		t.Errorf("the instances of a node that left are %+v", at.Instances)
	}
	if sv := h.in("alpha", NotReported); len(sv.Nodes) != 1 || sv.Nodes[0].Reported {
		t.Errorf("server %+v", sv)
	}
}

// silence makes node-2 one that was last heard of so long ago.
func silence(h *house, ago string) {
	h.t.Helper()
	err := h.db.InTx(h.t.Context(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(h.t.Context(), `UPDATE nodes SET seen_at = now() - $1::interval WHERE id = 'node-2'`, ago)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

func TestTwoNodesRunTheSame(t *testing.T) {
	t.Parallel()
	a := openHouse(t, dbtest.New(t), "node-1", fast{time.Now(), 60}) // a beat is a quarter of a second
	b := openHouse(t, a.db, "node-2", nil)
	a.declare(tiny("alpha", "", "echo"))
	a.until("both run it", func(o Overview) bool {
		sv, _ := find(o, "alpha")
		return sv.State == Running && sv.Started == 2 && len(sv.Nodes) == 2
	})
	a.until("each knows the other", func(Overview) bool {
		nodes, err := a.servers.Nodes(t.Context())
		return err == nil && len(nodes) == 2 && nodes[0].Live && nodes[1].Live
	})
	var told atomic.Int64
	a.servers.Presence(func() { told.Add(1) })
	b.end()
	a.until("pages are told that a node left", func(Overview) bool { return told.Load() > 0 })
	a.until("one is left", func(o Overview) bool {
		sv, _ := find(o, "alpha")
		return sv.State == Running && sv.Started == 1 && len(sv.Nodes) == 1
	})
	a.until("the node that left is known to have left", func(Overview) bool {
		nodes, err := a.servers.Nodes(t.Context())
		return err == nil && len(nodes) == 1 && nodes[0].Revision == a.rev && nodes[0].ApplyError == "" && nodes[0].Live
	})
}

// When a node tries what fails as before, the pages of the others hear of its
// next try.
func TestOtherNodesHearOfTheNextTry(t *testing.T) {
	t.Parallel()
	a := openHouse(t, dbtest.New(t), "node-1", fast{time.Now(), 600})
	b := openHouse(t, a.db, "node-2", nil)
	a.declare("  - name: lost\n    command: no-such-command-anywhere\n")
	tries := func(node string) int {
		return a.count(`SELECT coalesce(max(attempt), 0) FROM server_states WHERE node = $1 AND state = 'failed'`, node)
	}
	a.until("the other node waits for its third try", func(Overview) bool { return tries("node-2") == 2 })
	var told atomic.Int64
	b.servers.Presence(func() { told.Add(1) })
	// Between two tries a node's row says that it starts: it has no attempt then.
	var before int
	a.until("the first node has failed", func(Overview) bool { before = tries("node-1"); return before > 0 })
	a.until("it tried again, and the other node's pages are told", func(Overview) bool { return told.Load() > 3 && tries("node-1") > before })
}

func TestOldStatesOfANodeAreForgotten(t *testing.T) {
	t.Parallel()
	a := newHouse(t)
	a.declare(tiny("alpha", "", "echo"))
	sv := a.in("alpha", Running)
	// As a node leaves it that was killed: its row and its states stay.
	err := a.db.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(t.Context(), `
			WITH n AS (INSERT INTO nodes (id, name, url, version, started_at, seen_at) VALUES ('node-2', 'node-2', '', '', now(), now()) RETURNING id)
			INSERT INTO server_states (server, node, name, state, error, since, reported_at) SELECT $1, id, 'alpha', 'failed', 'Old.', now(), now() FROM n`, sv.ID)
		return err
	})
	if err == nil {
		a.in("alpha", PartlyFailing)
		if silence(a, "50 seconds"); len(a.page(t, "alpha").Instances) != 2 || a.page(t, "alpha").Instances[1].State != silent || a.page(t, "alpha").Instances[1].Error != "" {
			t.Errorf("a killed node's instances are %+v", a.page(t, "alpha").Instances)
		}
		silence(a, "0 seconds")
		openHouse(t, a.db, "node-2", nil)
		a.in("alpha", Running)
	}
	if err != nil {
		t.Fatal(err)
	}
}
