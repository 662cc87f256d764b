// Package signintest serves an area's pages to a browser without a screen, on
// a database of its own, so that tests go through sign-in as people do.
package signintest

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/sessions"

	"crewlet/db"
	"crewlet/db/dbtest"
	"crewlet/engine/access"
	"crewlet/engine/identity"
	"crewlet/engine/secrets"
	"crewlet/engine/tool"
	"crewlet/handlers/signin"
	"crewlet/handlers/web"
)

// Login and Password are the first administrator's.
const (
	Login    = "jane.doe"
	Password = "green kettle under stairs"
)

// Bench is a node without a screen: its use cases, a clock set by hand, and
// pages at URL.
type Bench struct {
	DB       *db.DB
	Run      *tool.Runner
	Identity *identity.Identity
	URL      string

	t     testing.TB
	clock atomic.Pointer[time.Time]
}

// Routes adds an area's addresses.
type Routes func(mux *http.ServeMux, door *web.Door, b *Bench)

// New serves the routes, the addresses of package signin among them.
func New(t testing.TB, more Routes) *Bench {
	t.Helper()
	b := &Bench{DB: dbtest.New(t), t: t}
	start := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	b.clock.Store(&start)
	ring, _, err := secrets.NewKeyring("test")
	b.must(err)
	log := slog.New(slog.DiscardHandler)
	b.Run = &tool.Runner{
		DB: b.DB, Now: b.Now, Log: log, Node: "test", Max: access.All,
		Keys: tool.Keys{
			Digest: func(data []byte) []byte { return ring.Digest("operations", data) },
			Seal:   ring.SealTagged, Open: ring.OpenTagged,
		},
	}
	b.Identity, err = identity.New(identity.Options{DB: b.DB, Now: b.Now, Log: log, Max: access.All})
	b.must(err)
	t.Cleanup(b.Identity.Close)
	server := httptest.NewServer(b.handler(ring, log, more))
	t.Cleanup(server.Close)
	b.URL = server.URL
	return b
}

func (b *Bench) handler(ring *secrets.Keyring, log *slog.Logger, more Routes) http.Handler {
	h := &signin.Handlers{Run: b.Run, Identity: b.Identity}
	door := &web.Door{
		Run: b.Run, Sessions: sessions.NewCookieStore(ring.Derive("cookies")), Log: log,
		Token: b.Identity.Token, Company: func() string { return "Acme" },
		Session: func(ctx context.Context, id string) (web.Viewer, error) {
			s, err := b.Identity.Session(ctx, id)
			return web.Viewer{By: s.Principal, Name: s.Name, Login: s.Principal.Name, Session: id}, err
		},
		Confirm: func(ctx context.Context, c *tool.Call, password string) error {
			_, err := tool.Do(ctx, b.Run, b.Identity.ConfirmPassword, c, identity.ConfirmPassword{Password: password})
			return err
		},
	}
	mux := http.NewServeMux()
	mux.Handle("GET /sign-in", door.Page(h.SignInForm))
	mux.Handle("POST /sign-in", door.Page(h.SignIn))
	mux.Handle("POST /sign-out", door.Page(h.SignOut))
	mux.Handle("GET /setup/{token}", door.Page(h.SetupForm))
	mux.Handle("POST /setup/{token}", door.Page(h.Setup))
	mux.Handle("GET /account/sign-ins", door.Page(h.SignIns))
	mux.Handle("POST /account/sign-ins/{session}/end", door.Page(h.EndSignIn))
	if more != nil {
		more(mux, door, b)
	}
	return web.Around(http.NewCrossOriginProtection().Handler(mux), log, false)
}

// Now is what the bench's clock shows.
func (b *Bench) Now() time.Time { return *b.clock.Load() }

// Pass sets the clock forward.
func (b *Bench) Pass(d time.Duration) {
	later := b.Now().Add(d)
	b.clock.Store(&later)
}

// SetupLink makes the token of a set-up link.
func (b *Bench) SetupLink() string {
	b.t.Helper()
	link, err := tool.Do(b.t.Context(), b.Run, b.Identity.MakeSetupLink, &tool.Call{By: access.System(), Door: "command"}, identity.MakeSetupLink{})
	b.must(err)
	return link.Token
}

// Write changes the database past the use cases.
func (b *Bench) Write(statement string, args ...any) {
	b.t.Helper()
	b.must(b.DB.InTx(b.t.Context(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(b.t.Context(), statement, args...)
		return err
	}))
}

func (b *Bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// read takes a whole body.
func read(r *http.Response) (string, error) {
	defer func() { _ = r.Body.Close() }()
	var buf bytes.Buffer
	_, err := buf.ReadFrom(r.Body)
	return buf.String(), err
}
