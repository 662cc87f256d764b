package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"golang.org/x/sync/errgroup"

	"crewlet/db"
	"crewlet/db/dbtest"
)

// put lands once however often it runs.
const put = `INSERT INTO keys (key) VALUES ($1) ON CONFLICT DO NOTHING RETURNING key`

func TestInOne(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	run(t, d, `CREATE TABLE keys (key text CONSTRAINT keys_short CHECK (length(key) < 9), UNIQUE (key))`)
	var key string
	for range 3 { // prepared the first time
		key = ""
		again, err := d.InOne(t.Context(), &key, put, "a")
		if again || err != nil && !errors.Is(err, sql.ErrNoRows) {
			t.Fatal(again, err)
		}
	}
	if key != "" || keys(t, d) != 1 {
		t.Errorf("%d keys, and the last run answers %q", keys(t, d), key)
	}
	if _, err := d.InOne(t.Context(), &key, put, "much too long"); !db.Violates(err, "keys_short") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.InOne(ctx, &key, put, "b"); !errors.Is(err, context.Canceled) || keys(t, d) != 1 {
		t.Errorf("got %v with %d keys", err, keys(t, d))
	}
}

// A lost answer is asked for anew, and the statement has landed once.
func TestInOneWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	for f, landed := range map[fault]bool{cutBefore: false, cutAfter: true, freezeBefore: false, freezeAfter: true} {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			address := dbtest.URL(t)
			direct := open(t, address)
			run(t, direct, `CREATE TABLE keys (key text PRIMARY KEY)`)
			d := open(t, through(t, address, f, "the-key-that-is-lost"))
			d.Impatient(shortly)
			var key string
			for _, k := range []string{"a", "b", "c"} { // what idles beside it dies too
				if _, err := d.InOne(t.Context(), &key, put, k); err != nil {
					t.Fatal(err)
				}
			}
			again, err := d.InOne(t.Context(), &key, put, "the-key-that-is-lost")
			if !again || landed != errors.Is(err, sql.ErrNoRows) || !landed && err != nil {
				t.Errorf("again %t, %v", again, err)
			}
			if n := keys(t, direct); n != 4 {
				t.Errorf("%d keys", n)
			}
		})
	}
}

// After a restart of the server every idle connection is dead.
func TestInOneOnDeadConnections(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	run(t, d, `CREATE TABLE keys (key text PRIMARY KEY)`)
	const slow = `INSERT INTO keys (key) SELECT $1 FROM pg_sleep(0.05) ON CONFLICT DO NOTHING RETURNING key`
	var all errgroup.Group
	for n := range 4 {
		all.Go(func() error {
			_, err := d.InOne(t.Context(), new(string), slow, fmt.Sprint(n))
			return err
		})
	}
	must(t, all.Wait())
	run(t, d, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'idle'`)
	if _, err := d.InOne(t.Context(), new(string), put, "a"); err != nil {
		t.Fatal(err)
	}
	if n := keys(t, d); n != 5 {
		t.Errorf("%d keys", n)
	}
}
