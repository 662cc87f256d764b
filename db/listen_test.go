package db_test

import (
	"context"
	"testing"

	"crewlet/db"
	"crewlet/db/dbtest"
)

func TestListen(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	notes, err := d.Listen(t.Context(), "changes")
	must(t, err)
	run(t, d, `SELECT pg_notify('changes', '17')`)
	if n := <-notes; n != (db.Note{Payload: "17"}) {
		t.Errorf("got %+v", n)
	}
	killOthers(t, d)
	if n := <-notes; !n.Resync {
		t.Errorf("after a lost connection got %+v, want a resync", n)
	}
	run(t, d, `SELECT pg_notify('changes', '18')`)
	if n := <-notes; n.Payload != "18" {
		t.Errorf("after a resync got %+v", n)
	}
}

func TestAListenerEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*db.DB, context.CancelFunc) error{
		"with its context":   func(_ *db.DB, cancel context.CancelFunc) error { cancel(); return nil },
		"with the database":  func(d *db.DB, _ context.CancelFunc) error { return d.Close() },
		"with notes unread":  func(d *db.DB, _ context.CancelFunc) error { return d.Close() },
		"while disconnected": func(d *db.DB, _ context.CancelFunc) error { return d.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := db.Open(t.Context(), db.Options{URL: dbtest.URL(t)})
			must(t, err)
			defer func() { _ = d.Close() }()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			notes, err := d.Listen(ctx, "changes")
			must(t, err)
			switch name {
			case "with notes unread":
				run(t, d, `SELECT pg_notify('changes', n::text) FROM generate_series(1, 100) n`)
			case "while disconnected":
				killOthers(t, d)
			}
			must(t, end(d, cancel))
			for range notes { // until it is closed
				continue
			}
		})
	}
}

func TestListenRefusesAClosedDatabase(t *testing.T) {
	t.Parallel()
	d, err := db.Open(t.Context(), db.Options{URL: dbtest.URL(t)})
	must(t, err)
	must(t, d.Close())
	if _, err := d.Listen(t.Context(), "changes"); err == nil {
		t.Error("it listens")
	}
}
