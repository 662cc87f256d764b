package identity

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"

	"crewlet/config"
	"crewlet/db"
	"crewlet/db/dbtest"
	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/secrets"
	"crewlet/engine/tool"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// passphrase is a password nobody tries first.
const passphrase = "green kettle under stairs"

// cheap is a cost for tests that are about something else.
var cheap = argon2id.Params{Memory: 64, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// bench is identity on a database of its own, with a clock that is set by hand.
type bench struct {
	*Identity
	t     *testing.T
	db    *db.DB
	run   *tool.Runner
	clock *atomic.Pointer[time.Time]
}

func newBench(t *testing.T, node ...config.Token) *bench {
	t.Helper()
	b := &bench{t: t, db: dbtest.New(t), clock: &atomic.Pointer[time.Time]{}}
	start := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	b.clock.Store(&start)
	ring, _, err := secrets.NewKeyring("test")
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	b.run = &tool.Runner{
		DB: b.db, Now: b.now, Log: log, Node: "test", Max: access.All,
		Keys: tool.Keys{
			Digest: func(data []byte) []byte { return ring.Digest("operations", data) },
			Seal:   ring.SealTagged, Open: ring.OpenTagged,
		},
	}
	b.Identity = New(Options{DB: b.db, Now: b.now, Log: log, Max: access.All, Node: node})
	b.hasher = newHasher(cheap)
	t.Cleanup(b.Close)
	return b
}

func (b *bench) now() time.Time { return *b.clock.Load() }

func (b *bench) pass(d time.Duration) {
	later := b.now().Add(d)
	b.clock.Store(&later)
}

// page begins a call from a page; the zero principal is nobody.
func page(by access.Principal) *tool.Call {
	return &tool.Call{By: by, Key: tool.NewKey(), Door: "page", RequestID: "r"}
}

func do[In, Out any](b *bench, u tool.Use[In, Out], by access.Principal, in In) (Out, error) {
	return tool.Do(b.t.Context(), b.run, u, page(by), in)
}

func must[In, Out any](b *bench, u tool.Use[In, Out], by access.Principal, in In) Out {
	b.t.Helper()
	out, err := do(b, u, by, in)
	if err != nil {
		b.t.Fatalf("%s: %v (%v)", u.Name, err, refusal.Of(err).Cause)
	}
	return out
}

// admin sets up the first administrator, jane.doe, and signs her in.
func (b *bench) admin() (Signed, SignedIn) {
	b.t.Helper()
	link := must(b, b.MakeSetupLink, access.System(), MakeSetupLink{})
	in := must(b, b.RedeemSetup, access.Principal{}, jane(link.Token))
	return b.signed(in.Session), in
}

func jane(token string) RedeemSetup {
	return RedeemSetup{Token: token, Login: "Jane.Doe", Name: "Jane Doe", Email: "jane@example.com", Password: passphrase}
}

func (b *bench) signed(session string) Signed {
	b.t.Helper()
	s, err := b.Session(b.t.Context(), session)
	if err != nil {
		b.t.Fatalf("session: %v (%v)", err, refusal.Of(err).Cause)
	}
	return s
}

// refuses checks class and, where it is given, the argument the sentence
// stands beside.
func refuses(t *testing.T, err error, class refusal.Class, field string) {
	t.Helper()
	no := refusal.Of(err)
	if no == nil || no.Class != class || field != "" && no.Fields[field] == "" {
		t.Fatalf("got %v %+v, want %s on %q", err, no, class, field)
	}
}

// rows counts what a query finds.
func (b *bench) rows(query string, args ...any) int {
	b.t.Helper()
	var n int
	if err := b.db.GetContext(b.t.Context(), &n, query, args...); err != nil {
		b.t.Fatal(err)
	}
	return n
}

func (b *bench) write(query string, args ...any) {
	b.t.Helper()
	err := b.db.InTx(b.t.Context(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(b.t.Context(), query, args...)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("never: %s", what)
		}
	}
}
