package db_test

import (
	"errors"
	"testing"
	"time"

	"crewlet/db"
	"crewlet/db/dbtest"
)

// What a snapshot begins with is of the snapshot, and nothing is left open
// whatever comes of it.
func TestASnapshotBeginsWithItsFirstStatement(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	run(t, d, `CREATE TABLE notes (n int)`, `INSERT INTO notes VALUES (1)`)
	const newest = `SELECT max(n) FROM notes`
	idle := func() (open int) {
		t.Helper()
		must(t, d.GetContext(t.Context(), &open, `
			SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`))
		return open
	}
	refused := errors.New("refused")
	for name, c := range map[string]struct {
		first string
		fn    func(*db.Tx) error
		fails bool
	}{
		"read":                 {newest, func(*db.Tx) error { return nil }, false},
		"refused":              {newest, func(*db.Tx) error { return refused }, true},
		"a first that fails":   {`SELECT n FROM nowhere`, func(*db.Tx) error { return nil }, true},
		"a first without rows": {`SELECT n FROM notes WHERE n = 9`, func(*db.Tx) error { return nil }, true},
		"a write": {newest, func(tx *db.Tx) error {
			_, err := tx.ExecContext(t.Context(), `INSERT INTO notes VALUES (3)`)
			return err
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			var n int
			if err := d.SnapshotFrom(t.Context(), c.first, &n, c.fn); (err != nil) != c.fails {
				t.Errorf("got %v", err)
			}
		})
	}
	func() {
		defer func() { _ = recover() }()
		_ = d.Snapshot(t.Context(), func(*db.Tx) error { panic("down") })
	}()
	var first, within int
	must(t, d.SnapshotFrom(t.Context(), newest, &first, func(tx *db.Tx) error {
		run(t, d, `INSERT INTO notes VALUES (2)`)
		return tx.GetContext(t.Context(), &within, newest)
	}))
	if first != 1 || within != 1 {
		t.Errorf("it began at %d and stood at %d", first, within)
	}
	// The end of the last one is not waited for; past five seconds the server
	// itself would end one that is left open.
	for begun := time.Now(); idle() > 0; {
		if time.Since(begun) > 3*time.Second {
			t.Fatal("a transaction is left open")
		}
	}
}
