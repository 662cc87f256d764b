// Package handlers is every address there is, on one page. A handler reads,
// does, shows and returns its error; nothing here decides.
package handlers

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/gorilla/sessions"

	"crewlet/engine"
	"crewlet/engine/access"
	"crewlet/engine/identity"
	"crewlet/engine/refusal"
	"crewlet/engine/secrets"
	"crewlet/engine/tool"
	"crewlet/handlers/assets"
	"crewlet/handlers/live"
	"crewlet/handlers/node"
	"crewlet/handlers/signin"
	"crewlet/handlers/tokens"
	"crewlet/handlers/web"
)

// Options is what the handlers are handed.
type Options struct {
	Engine  *engine.Engine
	Ring    *secrets.Keyring // for the signature of cookies
	Log     *slog.Logger
	BaseURL *url.URL
	Proxies []netip.Prefix
	Version string
	Metrics *node.Metrics
	Ping    func(context.Context) error
}

// Site is the whole dashboard and its API.
type Site struct {
	http.Handler
	hub  *live.Hub
	stop func()
}

// Close ends the live streams; requests under way go on.
func (s *Site) Close() {
	s.stop()
	s.hub.Close()
}

// New builds the site.
func New(o Options) *Site {
	e := o.Engine
	secure := o.BaseURL.Scheme == "https"
	hub := live.NewHub(e.Run.Now, e.Feed.Position())
	_, stop := e.Feed.Subscribe(hub.Hear)
	o.Metrics.Gauge("crewlet_live_streams", "Open live streams.", func() float64 { return float64(hub.Streams()) })
	door := newDoor(o, secure)

	protected := http.NewCrossOriginProtection()
	if err := protected.AddTrustedOrigin(o.BaseURL.Scheme + "://" + o.BaseURL.Host); err != nil {
		panic("handlers: " + err.Error()) // config.Read has checked the address
	}
	protected.SetDenyHandler(door.API(foreign))
	return &Site{Handler: web.Around(protected.Handler(routes(o, door, hub)), o.Log, secure), hub: hub, stop: stop}
}

// routes is the route table.
func routes(o Options, door *web.Door, hub *live.Hub) http.Handler {
	e := o.Engine
	self := &node.Handlers{Version: o.Version, ID: e.Run.Node, Ping: o.Ping, Position: e.Feed.Position, Metrics: o.Metrics.Registry}
	streams := &live.Handlers{Hub: hub, Valid: door.Valid, Beat: 20 * time.Second, Recheck: time.Minute, Slow: 10 * time.Second}
	who := &signin.Handlers{Run: e.Run, Identity: e.Identity}
	keys := &tokens.Handlers{Run: e.Run, Identity: e.Identity}

	mux := http.NewServeMux()
	page := func(pattern string, h web.Handler) { mux.Handle(pattern, door.Page(h)) }
	api := func(pattern string, h web.Handler) { mux.Handle(pattern, door.API(h)) }
	anyone := func(pattern string, h web.Handler) { mux.Handle(pattern, door.Anyone(h)) }

	page("GET /{$}", web.Home)
	page("/", web.NotFound)

	anyone("GET /static/", assets.Serve)
	anyone("GET /health", self.Health)
	anyone("GET /ready", self.Ready)
	api("GET /metrics", self.Count)
	api("GET /viewer", self.Viewer)
	api("GET /live", streams.Stream)

	page("GET /sign-in", who.SignInForm)
	page("POST /sign-in", who.SignIn)
	page("POST /sign-out", who.SignOut)
	page("GET /setup/{token}", who.SetupForm)
	page("POST /setup/{token}", who.Setup)
	page("GET /account/sign-ins", who.SignIns)
	page("POST /account/sign-ins/{session}/end", who.EndSignIn)

	page("GET /settings/tokens", keys.Tokens)
	page("POST /settings/tokens", keys.Mint)
	page("POST /settings/tokens/{token}/revoke", keys.Revoke)
	return mux
}

func newDoor(o Options, secure bool) *web.Door {
	e := o.Engine
	store := sessions.NewCookieStore(o.Ring.Derive("browser sessions"))
	store.MaxAge(web.CookieAge)
	return &web.Door{
		Run: e.Run, Sessions: store, Company: e.Company.Name, Log: o.Log, Secure: secure, Proxies: o.Proxies,
		Session: func(ctx context.Context, id string) (web.Viewer, error) {
			s, err := e.Identity.Session(ctx, id)
			return web.Viewer{By: s.Principal, Name: s.Name, Login: s.Principal.Name, Session: id}, err
		},
		Token: e.Identity.Token,
		Confirm: func(ctx context.Context, c *tool.Call, password string) error {
			_, err := tool.Do(ctx, e.Run, e.Identity.ConfirmPassword, c, identity.ConfirmPassword{Password: password})
			return err
		},
	}
}

// foreign answers a write that another site's page sent.
func foreign(http.ResponseWriter, *http.Request) error {
	return refusal.Forbidden.Say("This came from another site's page. Writes are taken from this dashboard and from programs only.").
		With("reason", "cross_origin").With("grants", access.None.List())
}
