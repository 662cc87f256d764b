package db_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/lib/pq"

	"crewlet/db"
	"crewlet/db/dbtest"
)

// must fails the test on an error of what only sets the scene.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// run runs statements in one transaction.
func run(t *testing.T, d *db.DB, statements ...string) {
	t.Helper()
	must(t, d.InTx(t.Context(), func(tx *db.Tx) error {
		for _, s := range statements {
			if _, err := tx.ExecContext(t.Context(), s); err != nil {
				return err
			}
		}
		return nil
	}))
}

func TestReads(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	var n int
	if err := d.GetContext(t.Context(), &n, `SELECT $1::int + 1`, 41); err != nil || n != 42 {
		t.Errorf("one row: %d, %v", n, err)
	}
	all := []int{7, 8, 9}
	if err := d.SelectContext(t.Context(), &all, `SELECT generate_series(1, $1::int)`, 2); err != nil || len(all) != 2 || all[0] != 1 {
		t.Errorf("all rows: %v, %v; want [1 2], what was there before gone", all, err)
	}
	if err := d.GetContext(t.Context(), &n, `SELECT 1 WHERE false`); !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("no row: %v", err)
	}
	if err := d.Ping(t.Context()); err != nil {
		t.Errorf("ping: %v", err)
	}
}

func TestAWriteOutsideATransactionIsRefused(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	run(t, d, `CREATE TABLE once (n int)`)
	var n int
	err := d.GetContext(t.Context(), &n, `INSERT INTO once VALUES (1) RETURNING n`)
	if e, ok := errors.AsType[*pq.Error](err); !ok || e.Code != "25006" {
		t.Errorf("got %v, want read_only_sql_transaction", err)
	}
}

func TestAConstantStatementIsPreparedOncePerConnection(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	const constant, kept = `SELECT 7 /* constant */`, `SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%/* ' || $1 || ' */%'`
	must(t, d.InTx(t.Context(), func(tx *db.Tx) error {
		var n, count int
		var rows []int
		for range 3 {
			must(t, tx.GetContext(t.Context(), &n, constant))
			must(t, tx.SelectBuilt(t.Context(), &rows, `SELECT 8 /* built */`))
		}
		must(t, tx.GetContext(t.Context(), &count, kept, "constant"))
		if count != 1 {
			t.Errorf("%d prepared statements of a constant text, want 1", count)
		}
		must(t, tx.GetContext(t.Context(), &count, kept, "built"))
		if count != 0 {
			t.Errorf("%d prepared statements of a built text, want none", count)
		}
		return nil
	}))
}

func TestAStatementWhoseResultAMigrationChangedIsPreparedAnew(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	run(t, d, `CREATE TABLE shape (a int)`, `INSERT INTO shape VALUES (1)`)
	type row struct{ A string }
	read := func() error { return d.GetContext(t.Context(), new(row), `SELECT a FROM shape`) }
	must(t, read())
	run(t, d, `ALTER TABLE shape ALTER a TYPE text`)
	for range 30 { // every connection of the pool may have to find out once
		if read() == nil {
			return
		}
	}
	t.Errorf("still refused: %v", read())
}

func TestAReadEndsWithItsContext(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	err := d.GetContext(ctx, new(string), `SELECT pg_sleep(60)::text`)
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 10*time.Second {
		t.Errorf("%v after %s", err, time.Since(start))
	}
	must(t, d.Ping(t.Context()))
}

func TestSessionsAreSetUp(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	for setting, want := range map[string]string{
		"idle_in_transaction_session_timeout": "5s",
		"application_name":                    "dbtest",
		"TimeZone":                            "UTC",
		"default_transaction_read_only":       "on",
	} {
		var got string
		must(t, d.GetContext(t.Context(), &got, `SELECT current_setting($1)`, setting))
		if got != want {
			t.Errorf("%s is %s, want %s", setting, got, want)
		}
	}
}

func TestReadsSurviveALossOfEveryConnection(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	for range 3 {
		must(t, d.Ping(t.Context()))
	}
	killOthers(t, d)
	must(t, d.GetContext(t.Context(), new(int), `SELECT 1`))
	killOthers(t, d)
	run(t, d, `CREATE TABLE after_loss ()`)
}

// killOthers cuts all connections to d's database but the one it asks on.
func killOthers(t *testing.T, d *db.DB) {
	t.Helper()
	const kill = `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
		WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`
	must(t, d.GetContext(t.Context(), new(int), kill))
}
