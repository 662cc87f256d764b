package db_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"golang.org/x/sync/errgroup"

	"crewlet/db"
	"crewlet/db/dbtest"
)

func raise(code string) string {
	return `DO $$ BEGIN RAISE EXCEPTION 'as told' USING ERRCODE = '` + code + `'; END $$`
}

// times counts the rows a test's transactions left.
func times(t *testing.T, d *db.DB) int {
	t.Helper()
	var n int
	must(t, d.GetContext(t.Context(), &n, `SELECT count(*) FROM marks`))
	return n
}

func TestInTx(t *testing.T) {
	t.Parallel()
	const cut = `SELECT pg_terminate_backend(pg_backend_pid())`
	for name, c := range map[string]struct {
		fails  string // the statement that ends a run
		often  int    // how many runs it ends
		runs   int
		landed int
	}{
		"plain":                             {"", 0, 1, 1},
		"a serialisation failure":           {raise("40001"), 1, 2, 1},
		"a deadlock":                        {raise("40P01"), 2, 3, 1},
		"a serialisation failure each time": {raise("40001"), 9, 3, 0},
		"a lost connection":                 {cut, 1, 2, 1},
		"a connection lost each time":       {cut, 9, 3, 0},
		"a constraint":                      {raise("23505"), 1, 1, 0},
		"a broken statement":                {`SELECT nonsense`, 1, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := dbtest.New(t)
			run(t, d, `CREATE TABLE marks (n int)`)
			runs := 0
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				runs++
				if _, err := tx.ExecContext(t.Context(), `INSERT INTO marks VALUES (1)`); err != nil {
					return err
				}
				if runs > c.often {
					return nil
				}
				_, err := tx.ExecContext(t.Context(), c.fails)
				return err
			})
			if (err == nil) != (c.landed == 1) || runs != c.runs || times(t, d) != c.landed {
				t.Errorf("%d runs, %d rows, %v; want %d and %d", runs, times(t, d), err, c.runs, c.landed)
			}
		})
	}
}

func TestInTxRollsBack(t *testing.T) {
	t.Parallel()
	mine := errors.New("mine")
	for name, c := range map[string]struct {
		end  func(context.CancelFunc) error
		want error
	}{
		"what fails":             {func(context.CancelFunc) error { return mine }, mine},
		"what panics":            {func(context.CancelFunc) error { panic(mine) }, mine},
		"what nobody waits for":  {func(cancel context.CancelFunc) error { cancel(); return nil }, context.Canceled},
		"what failed, unnoticed": {nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := dbtest.New(t)
			run(t, d, `CREATE TABLE marks (n int)`)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			err := func() (err error) {
				defer func() {
					if p := recover(); p != nil {
						err = p.(error)
					}
				}()
				return d.InTx(ctx, func(tx *db.Tx) error {
					_, err := tx.ExecContext(ctx, `INSERT INTO marks VALUES (1)`)
					must(t, err)
					if c.end == nil {
						_, _ = tx.ExecContext(ctx, `SELECT nonsense`)
						return nil
					}
					return c.end(cancel)
				})
			}()
			_, unsettled := errors.AsType[*db.Unsettled](err)
			if err == nil || unsettled || c.want != nil && !errors.Is(err, c.want) || times(t, d) != 0 {
				t.Errorf("%v and %d rows, want %v and none", err, times(t, d), c.want)
			}
		})
	}
}

func TestADeferredConstraintIsADefiniteNo(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	run(t, d, `CREATE TABLE marks (n int CONSTRAINT marks_once UNIQUE DEFERRABLE INITIALLY DEFERRED)`)
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(t.Context(), `INSERT INTO marks VALUES (1), (1)`)
		return err
	})
	if _, unsettled := errors.AsType[*db.Unsettled](err); unsettled || !db.Violates(err, "marks_once") {
		t.Errorf("got %v, want the violation of marks_once", err)
	}
}

func TestASnapshotStandsStillAndOnlyReads(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	run(t, d, `CREATE TABLE marks (n int)`)
	must(t, d.Snapshot(t.Context(), func(tx *db.Tx) error {
		var before, after int
		must(t, tx.GetContext(t.Context(), &before, `SELECT count(*) FROM marks`))
		run(t, d, `INSERT INTO marks VALUES (1)`)
		must(t, tx.GetContext(t.Context(), &after, `SELECT count(*) FROM marks`))
		if before != 0 || after != 0 {
			t.Errorf("saw %d, then %d rows", before, after)
		}
		return nil
	}))
	err := d.Snapshot(t.Context(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(t.Context(), `INSERT INTO marks VALUES (1)`)
		return err
	})
	if err == nil || times(t, d) != 1 {
		t.Errorf("a snapshot wrote: %v", err)
	}
}

// Preparing a statement must not ask for a second connection: with every one
// taken, everybody would wait for everybody.
func TestMoreTransactionsThanConnectionsPrepareAtOnce(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	var all errgroup.Group
	for n := range 60 {
		all.Go(func() error {
			return d.InTx(t.Context(), func(tx *db.Tx) error {
				return tx.GetContext(t.Context(), new(int), fmt.Sprintf(`SELECT %d FROM pg_sleep(0.01)`, n))
			})
		})
	}
	must(t, all.Wait())
}
