package servers

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"crewlet/db"
	"crewlet/db/dbtest"
	"crewlet/mcp/client"
)

// looks is a fast clock that counts how often it was waited on, and does
// something each time.
type looks struct {
	fast
	times *atomic.Int64
	each  func()
}

func (l looks) AfterFunc(d time.Duration, fn func()) func() bool {
	l.times.Add(1)
	if l.each != nil {
		l.each()
	}
	return l.fast.AfterFunc(d, fn)
}

func wrote(t *testing.T, d *db.DB, query string, args ...any) {
	t.Helper()
	if err := d.InTx(context.Background(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(context.Background(), query, args...)
		return err
	}); err != nil {
		t.Error(err)
	}
}

func claiming(d *db.DB, run string, clock client.Clock) Claiming {
	return Claiming{DB: d, Clock: clock, Log: slog.New(slog.DiscardHandler), Node: Self{ID: "n", Name: "host-b", Version: "test", Run: run}}
}

func TestANodeIsClaimed(t *testing.T) {
	t.Parallel()
	const beats = `UPDATE nodes SET seen_at = clock_timestamp()`
	for name, c := range map[string]struct {
		holder  string // how the row was left; "" for none
		ago     string
		sole    bool
		during  string // what happens while it is looked at
		waits   bool
		refused bool
	}{
		"nobody had it":                  {},
		"killed in the same place":       {holder: "boot/net/1", ago: "1 second"},
		"the database is nobody else's":  {holder: "other/net/1", ago: "1 second", sole: true},
		"silent for long":                {holder: "other/net/1", ago: "1 minute", during: beats},
		"killed elsewhere":               {holder: "other/net/1", ago: "1 second", waits: true},
		"of a version without places":    {holder: "", ago: "1 second", waits: true},
		"it left meanwhile":              {holder: "other/net/1", ago: "1 second", during: `DELETE FROM nodes`, waits: true},
		"alive elsewhere":                {holder: "other/net/1", ago: "1 second", during: beats, waits: true, refused: true},
		"alive, and its place not known": {holder: "1", ago: "1 second", during: beats, waits: true, refused: true},
		"claimed by another meanwhile":   {holder: "other/net/1", ago: "1 second", during: `UPDATE nodes SET run = 'third/net/1'`, waits: true, refused: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := dbtest.New(t)
			if c.ago != "" {
				wrote(t, d, `INSERT INTO nodes (id, name, url, version, run, started_at, seen_at) VALUES ('n', 'host-a', '', '', $1, now(), now() - $2::interval)`, c.holder, c.ago)
			}
			clock := looks{fast: fast{time.Now(), 100}, times: &atomic.Int64{}}
			if c.during != "" {
				clock.each = sync.OnceFunc(func() { wrote(t, d, c.during) })
			}
			o := claiming(d, "boot/net/2", clock)
			o.Sole = c.sole
			err := Claim(t.Context(), o)
			if errors.Is(err, ErrTaken) != c.refused || err != nil && !c.refused {
				t.Errorf("answered %v", err)
			}
			if waited := clock.times.Load() > 0; waited != c.waits {
				t.Errorf("it waited: %v, want %v", waited, c.waits)
			}
			var run string
			if err := d.GetContext(t.Context(), &run, `SELECT run FROM nodes WHERE id = 'n'`); err != nil || (run == "boot/net/2") == c.refused {
				t.Errorf("the row is %q's, %v", run, err)
			}
			if err := Leave(t.Context(), d, o.Node); err != nil {
				t.Error(err)
			}
			var left int
			if err := d.GetContext(t.Context(), &left, `SELECT count(*) FROM nodes`); err != nil || (left == 1) != c.refused {
				t.Errorf("%d rows are left, %v", left, err)
			}
		})
	}
}

// Of several that claim at once, one is the node.
func TestOneOfManyClaims(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	wrote(t, d, `INSERT INTO nodes (id, name, url, version, run, started_at, seen_at) VALUES ('n', 'host-a', '', '', 'boot/net/0', now(), now())`)
	var won, lost atomic.Int64
	var all sync.WaitGroup
	for _, run := range []string{"other/net/1", "other/net/2", "other/net/3", "other/net/4", "other/net/5", "other/net/6"} {
		all.Go(func() {
			switch err := Claim(t.Context(), claiming(d, run, fast{time.Now(), 100})); {
			case err == nil:
				won.Add(1)
			case errors.Is(err, ErrTaken):
				lost.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 || lost.Load() != 5 {
		t.Errorf("%d are the node, %d are refused", won.Load(), lost.Load())
	}
}

// A node that another start took over says so and leaves the other's row alone.
func TestANodeTakenOverStands(t *testing.T) {
	t.Parallel()
	h := openHouse(t, dbtest.New(t), "node-1", fast{time.Now(), 60})
	select {
	case <-h.servers.Ousted():
		t.Fatal("ousted by nobody")
	default:
	}
	wrote(t, h.db, `UPDATE nodes SET run = 'other/net/1', name = 'host-b', seen_at = now()`)
	select {
	case <-h.servers.Ousted():
	case <-time.After(patience):
		t.Fatal("it never notices")
	}
	if err := Leave(t.Context(), h.db, Self{ID: "node-1"}); err != nil {
		t.Error(err)
	}
	if n := h.count(`SELECT count(*) FROM nodes WHERE name = 'host-b' AND run = 'other/net/1'`); n != 1 {
		t.Error("the other's row is touched")
	}
	wrote(t, h.db, `DELETE FROM nodes`)
}
