// Package enginetest opens a whole engine on a database of its own, with a
// clock that stands still until it is moved.
package enginetest

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"crewlet/db"
	"crewlet/db/dbtest"
	"crewlet/engine"
	"crewlet/engine/access"
	"crewlet/engine/secrets"
	"crewlet/engine/servers"
	"crewlet/engine/tool"
)

// Clock is a clock that is moved by hand.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now reads the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Move puts the clock forward.
func (c *Clock) Move(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}

// Node is the id of the node under test.
const Node = "0190f3a2-7c4e-7d5a-9b1e-3f0c2a1d4e5f"

// Bench is an engine under test.
type Bench struct {
	*engine.Engine
	DB    *db.DB
	Ring  *secrets.Keyring
	Clock *Clock
}

// New opens an engine. It is closed after the test.
func New(t testing.TB, adjust ...func(*engine.Options)) *Bench {
	t.Helper()
	ring, _, err := secrets.NewKeyring("test")
	if err != nil {
		t.Fatal(err)
	}
	b := &Bench{DB: dbtest.New(t), Ring: ring, Clock: &Clock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}}
	o := engine.Options{
		DB: b.DB, Ring: ring, Now: b.Clock.Now, Log: slog.New(slog.NewTextHandler(t.Output(), nil)), Node: servers.Self{ID: Node, Name: "here", Version: "test"},
		Max: access.All,
	}
	for _, change := range adjust {
		change(&o)
	}
	if b.Engine, err = engine.New(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(context.Background()); err != nil {
			t.Errorf("close the engine: %v", err)
		}
	})
	return b
}

// By is a person's call with every grant, the password just typed, under a
// new key.
func By(name string) *tool.Call {
	return &tool.Call{
		By: access.Principal{
			Kind: access.Person, ID: name, Credential: "session:" + name, Name: name, Grants: access.All, Fresh: true,
		},
		Key: tool.NewKey(), Door: "page", RequestID: "test",
	}
}

// With is By with these grants alone.
func With(name string, grants access.Grants) *tool.Call {
	c := By(name)
	c.By.Grants = grants
	return c
}

// Regrant is the statement that gives everybody other grants, past the rules
// and with a row of the log, as grant_person would.
const Regrant = `
	WITH head AS (UPDATE log_head SET position = position + 1 RETURNING position),
	told AS (
		INSERT INTO changes (position, at, actor, actor_name, recorded_as, credential, kind, object, deltas)
		SELECT position, now(), 'engine:', 'test', 'system', '', 'person.granted', 'person:', '{}' FROM head)
	UPDATE people SET grants = $1::text[]`
