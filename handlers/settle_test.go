package handlers

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"crewlet/db"
	"crewlet/db/dbtest"
	"crewlet/engine"
	"crewlet/engine/enginetest"
	"crewlet/engine/tool"
)

// commit is what the last message of a write looks like on the wire.
const commit = "COMMIT\x00"

// behind serves the site with a network before its database that fails when it
// is told to. The bench looks past it.
func behind(t *testing.T) (*bench, *dbtest.Proxy) {
	t.Helper()
	address := dbtest.URL(t)
	p := dbtest.Between(t, address)
	through, err := db.Open(t.Context(), db.Options{URL: p.URL, Patience: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = through.Close() })
	inner := enginetest.New(t, func(o *engine.Options) { o.DB = through })
	direct, err := db.Open(t.Context(), db.Options{URL: address})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = direct.Close() })
	inner.DB = direct
	return on(t, inner), p
}

// setsSecret stores a secret at act.
func (b *bench) setsSecret(t *testing.T, token, key string) (reply, map[string]any) {
	t.Helper()
	got := b.ask(t, "POST", actHere+"set_secret", text(`{"args":{"name":"A","value":"v"}}`), as(token, "Content-Type", asJSON, "Idempotency-Key", key)...)
	var body map[string]any
	if err := json.Unmarshal([]byte(got.text), &body); err != nil {
		t.Fatalf("answered %d %s", got.status, got.text)
	}
	return got, body
}

var once = counts{Operations: 1, Changes: 1, Audit: 1}

// However the network fails around a COMMIT, the caller is told what happened,
// and it happened once.
func TestALostCommitIsSettledBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	for _, f := range []dbtest.Fault{dbtest.CutBefore, dbtest.CutAfter, dbtest.FreezeBefore, dbtest.FreezeAfter} {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			b, p := behind(t)
			token, key := b.mint(true, "all").Value, tool.NewKey()
			before := b.counts()
			struck := p.Strike(f, key, commit)
			first, body := b.setsSecret(t, token, key)
			<-struck
			if first.status != 200 || body["outcome"] != "applied" || body["op_id"] != key {
				t.Errorf("answered %d %s", first.status, first.text)
			}
			if left := b.counts().since(before); left != once {
				t.Errorf("it left %+v", left)
			}
			if again, _ := b.setsSecret(t, token, key); again.status != 200 || again.text != first.text {
				t.Errorf("a repeat answers %d %s, the first %s", again.status, again.text, first.text)
			}
			if left := b.counts().since(before); left != once {
				t.Errorf("with its repeat it left %+v", left)
			}
		})
	}
}

// Where the database cannot be asked either, nobody knows, and that is what is
// said; the same call again lands once.
func TestAnUnknownOutcomeIsSaidAndTheRepeatLandsOnce(t *testing.T) {
	t.Parallel()
	for f, landed := range map[dbtest.Fault]bool{dbtest.CutBefore: false, dbtest.CutAfter: true, dbtest.FreezeBefore: false, dbtest.FreezeAfter: true} {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			b, p := behind(t)
			token, key := b.mint(true, "all").Value, tool.NewKey()
			before := b.counts()
			p.Isolate(f, key, commit)
			got, body := b.setsSecret(t, token, key)
			if got.status != 503 || body["error"] != "unknown" || body["outcome"] != "unknown" || body["op_id"] != key || body["receipt"] != nil || body["position"] != nil {
				t.Errorf("answered %d %s", got.status, got.text)
			}
			if left := b.counts().since(before); landed && left.Changes != 1 || !landed && left.Changes != 0 {
				t.Errorf("it left %+v", left)
			}
			p.Mend()
			again, body := b.setsSecret(t, token, key)
			if again.status != 200 || body["outcome"] != "applied" {
				t.Errorf("the repeat answers %d %s", again.status, again.text)
			}
			if left := b.counts().since(before); left.Operations != 1 || left.Changes != 1 {
				t.Errorf("with its repeat it left %+v", left)
			}
		})
	}
}

// A transaction that loses its connection before COMMIT runs again.
func TestAConnectionLostOnTheWayRunsAgain(t *testing.T) {
	t.Parallel()
	b, p := behind(t)
	token, key := b.mint(true, "all").Value, tool.NewKey()
	before := b.counts()
	struck := p.Strike(dbtest.CutAfter, key) // the claim
	if got, _ := b.setsSecret(t, token, key); got.status != 200 {
		t.Errorf("answered %d %s", got.status, got.text)
	}
	<-struck
	if left := b.counts().since(before); left != once {
		t.Errorf("it left %+v", left)
	}
}

// An item nobody knows the end of is named by the key it has should it be
// there; the same call again finds or files it, once.
func TestAnUnknownItemIsNamedShouldItBeThere(t *testing.T) {
	t.Parallel()
	for f, landed := range map[dbtest.Fault]int{dbtest.CutBefore: 0, dbtest.CutAfter: 1} {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			b, p := behind(t)
			b.write(project)
			token, key := b.mint(true, "all").Value, tool.NewKey()
			args := map[string]any{"project": "TALK", "title": "Ship it", "op_id": key}
			p.Isolate(f, key, commit)
			lost := b.callTool(t, token, mcpNew, "create_work_item", args)
			says, _ := lost.fields["message"].(string)
			if !lost.Error || lost.fields["outcome"] != "unknown" || lost.fields["op_id"] != key || lost.fields["if_landed"] != "TALK-1" || lost.fields["key"] != nil {
				t.Errorf("it answers %s", lost.Content)
			}
			if !strings.Contains(says, "again with this op_id") || !strings.Contains(says, "TALK-1") {
				t.Errorf("it says %s", says)
			}
			if n := b.rows(`SELECT count(*) FROM items`); n != landed {
				t.Errorf("%d items are there, want %d", n, landed)
			}
			p.Mend()
			if again := b.callTool(t, token, mcpNew, "create_work_item", args); again.Error || again.fields["key"] != "TALK-1" {
				t.Errorf("again it answers %s", again.Content)
			}
			if n := b.rows(`SELECT count(*) FROM items`); n != 1 {
				t.Errorf("%d items are there", n)
			}
		})
	}
}
