package db_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"crewlet/db"
	"crewlet/db/dbtest"
)

const shortly = 300 * time.Millisecond

// claim does what a runner does first: it inserts the operation's key and says
// who the transaction is. It tells whether the key was there already.
func claim(ctx context.Context, tx *db.Tx, key string) (taken bool, err error) {
	const insert = `
		WITH mine AS (INSERT INTO keys (key) VALUES ($1) ON CONFLICT DO NOTHING RETURNING key)
		SELECT count(mine.key) AS inserted, pg_backend_pid() AS pid, pg_current_xact_id()::text AS xid FROM mine`
	var row struct {
		Inserted, PID int
		XID           string
	}
	if err := tx.GetContext(ctx, &row, insert, key); err != nil {
		return false, err
	}
	tx.Stand(row.PID, row.XID)
	return row.Inserted == 0, nil
}

func keys(t *testing.T, d *db.DB) int {
	t.Helper()
	var n int
	must(t, d.GetContext(t.Context(), &n, `SELECT count(*) FROM keys`))
	return n
}

func TestACommitWithoutAnAnswerIsSettled(t *testing.T) {
	t.Parallel()
	for f, landed := range map[fault]bool{cutBefore: false, cutAfter: true, freezeBefore: false, freezeAfter: true} {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			address := dbtest.URL(t)
			direct := open(t, address)
			run(t, direct, `CREATE TABLE keys (key text PRIMARY KEY)`)
			d := open(t, through(t, address, f, "COMMIT\x00"))
			d.Impatient(shortly)
			runs := 0
			write := func(tx *db.Tx) error {
				runs++
				_, err := claim(t.Context(), tx, "a")
				return err
			}
			u, ok := errors.AsType[*db.Unsettled](d.InTx(t.Context(), write))
			if !ok || runs != 1 {
				t.Fatalf("%d runs and no *Unsettled", runs)
			}
			var taken bool
			must(t, d.Settle(t.Context(), u, func(tx *db.Tx) (err error) {
				taken, err = claim(t.Context(), tx, "a")
				return err
			}))
			if taken != landed {
				t.Errorf("settled as landed: %t, want %t", taken, landed)
			}
			if n := keys(t, direct); n == 1 != landed {
				t.Errorf("%d keys after settling", n)
			}
			must(t, d.InTx(t.Context(), func(tx *db.Tx) error { // the same key may be sent again
				_, err := claim(t.Context(), tx, "a")
				return err
			}))
			if n := keys(t, direct); n != 1 {
				t.Errorf("%d keys in the end", n)
			}
		})
	}
}

func TestAStatementWithoutAnAnswerRunsAgain(t *testing.T) {
	t.Parallel()
	for _, f := range []fault{cutBefore, cutAfter} {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			address := dbtest.URL(t)
			direct := open(t, address)
			run(t, direct, `CREATE TABLE keys (key text PRIMARY KEY)`)
			d := open(t, through(t, address, f, "INSERT INTO keys"))
			runs := 0
			must(t, d.InTx(t.Context(), func(tx *db.Tx) error {
				runs++
				_, err := claim(t.Context(), tx, "a")
				return err
			}))
			if n := keys(t, direct); runs != 2 || n != 1 {
				t.Errorf("%d runs, %d keys", runs, n)
			}
		})
	}
}

func TestASilentNetworkDoesNotOutlastTheContext(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(context.Context, *db.DB) error{
		"a read": func(ctx context.Context, d *db.DB) error {
			return d.GetContext(ctx, new(int), `SELECT 17`)
		},
		"a transaction": func(ctx context.Context, d *db.DB) error {
			return d.InTx(ctx, func(tx *db.Tx) error { return tx.GetContext(ctx, new(int), `SELECT 17`) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := open(t, through(t, dbtest.URL(t), freezeBefore, "SELECT 17"))
			d.Impatient(shortly)
			ctx, cancel := context.WithTimeout(t.Context(), shortly)
			defer cancel()
			start := time.Now()
			err := ask(ctx, d)
			if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 30*shortly {
				t.Errorf("%v after %s", err, time.Since(start))
			}
			must(t, ask(t.Context(), d)) // on another connection
		})
	}
}

func TestSettleRefuses(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	never := func(*db.Tx) error { t.Error("the probe ran"); return nil }
	if err := d.Settle(t.Context(), &db.Unsettled{Err: errors.New("lost")}, never); err == nil {
		t.Error("a transaction nobody knows was settled")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := d.Settle(ctx, &db.Unsettled{PID: 1, XID: "3"}, never); !errors.Is(err, context.Canceled) {
		t.Errorf("with no time left: %v", err)
	}
}

func TestSettleLeavesAReusedBackendAlone(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	run(t, d, `CREATE TABLE keys (key text PRIMARY KEY)`)
	must(t, d.InTx(t.Context(), func(tx *db.Tx) error {
		var pid int
		must(t, tx.GetContext(t.Context(), &pid, `SELECT pg_backend_pid() FROM pg_current_xact_id()`))
		must(t, d.Settle(t.Context(), &db.Unsettled{PID: pid, XID: "3", Err: errors.New("lost")}, func(probe *db.Tx) error {
			_, err := claim(t.Context(), probe, "a")
			return err
		}))
		_, err := tx.ExecContext(t.Context(), `INSERT INTO keys VALUES ('still here')`)
		return err
	}))
	if n := keys(t, d); n != 1 {
		t.Errorf("%d keys, want the one written beside the probe", n)
	}
}
