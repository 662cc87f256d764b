// Package signintest serves an area's pages to a browser without a screen, on
// a database of its own, so that tests go through sign-in as people do.
package signintest

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gorilla/sessions"

	"crewlet/db"
	"crewlet/engine/enginetest"
	"crewlet/engine/identity"
	"crewlet/engine/tool"
	"crewlet/handlers/signin"
	"crewlet/handlers/web"
)

// Login and Password are the first administrator's.
const (
	Login    = "jane.doe"
	Password = "green kettle under stairs"
)

// Bench is a node without a screen: its engine, a clock set by hand, and pages
// at URL.
type Bench struct {
	*enginetest.Bench
	URL string

	t testing.TB
}

// Routes adds an area's addresses.
type Routes func(mux *http.ServeMux, door *web.Door, b *Bench)

// New serves the routes, the addresses of package signin among them.
func New(t testing.TB, more Routes) *Bench {
	t.Helper()
	b := &Bench{Bench: enginetest.New(t), t: t}
	server := httptest.NewServer(b.handler(slog.New(slog.DiscardHandler), more))
	t.Cleanup(server.Close)
	b.URL = server.URL
	return b
}

func (b *Bench) handler(log *slog.Logger, more Routes) http.Handler {
	h := &signin.Handlers{Run: b.Run, Identity: b.Identity}
	session, known := signin.Viewers(b.Identity)
	door := &web.Door{
		Run: b.Run, Sessions: sessions.NewCookieStore(b.Ring.Derive("cookies")), Log: log,
		Token: b.Identity.TokenFrom, Seal: b.Ring.SealTagged, Open: b.Ring.OpenTagged, Company: func() string { return "Acme" },
		Session: session, Known: known,
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

// Pass sets the clock forward.
func (b *Bench) Pass(d time.Duration) { b.Clock.Move(d) }

// SetupLink makes the token of a set-up link.
func (b *Bench) SetupLink() string {
	b.t.Helper()
	return SetupLink(b.t, b.Bench)
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
