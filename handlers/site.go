package handlers

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/gorilla/sessions"

	"crewlet/engine"
	"crewlet/engine/identity"
	"crewlet/engine/refusal"
	"crewlet/engine/secrets"
	"crewlet/engine/tool"
	"crewlet/handlers/live"
	"crewlet/handlers/node"
	"crewlet/handlers/signin"
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
	Live    Live
}

// Live are the intervals of live streams; what is zero is as usual.
type Live struct{ Beat, Recheck, Slow time.Duration }

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
	_, deaf := e.Feed.Subscribe(hub.Hear)
	// Beats and retries are not in the log; pages that show them are told here.
	e.Servers.Presence(func() { hub.Announce("servers") })
	o.Metrics.Gauge("crewlet_live_streams", "Open live streams.", func() float64 { return float64(hub.Streams()) })
	door := newDoor(o, secure)
	streams := &live.Handlers{
		Hub: hub, Valid: door.Valid, Beat: cmp.Or(o.Live.Beat, 20*time.Second),
		Recheck: cmp.Or(o.Live.Recheck, time.Minute), Slow: cmp.Or(o.Live.Slow, 10*time.Second),
	}
	assistants := operatorMCP(o, streams)
	lists := relist(e, assistants)
	stop := func() { lists(); deaf() }
	table := Routes(e,
		&node.Handlers{Version: o.Version, ID: e.Run.Node, Ping: o.Ping, Position: e.Feed.Position, Metrics: o.Metrics.Registry},
		streams, assistants)

	protected := http.NewCrossOriginProtection()
	if err := protected.AddTrustedOrigin(o.BaseURL.Scheme + "://" + o.BaseURL.Host); err != nil {
		panic("handlers: " + err.Error()) // config.Read has checked the address
	}
	protected.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.Header.Get("Accept"), "text/html") {
			door.Page(foreign).ServeHTTP(w, r)
			return
		}
		door.Anyone(foreign).ServeHTTP(w, r)
	}))
	return &Site{Handler: web.Around(protected.Handler(mount(door, table)), o.Log, secure), hub: hub, stop: stop}
}

func newDoor(o Options, secure bool) *web.Door {
	e := o.Engine
	store := sessions.NewCookieStore(o.Ring.Derive("browser sessions"))
	store.MaxAge(web.CookieAge)
	session, known := signin.Viewers(e.Identity)
	return &web.Door{
		Run: e.Run, Sessions: store, Company: e.Company.Name, TracksWork: e.Company.TracksWork, Log: o.Log, Base: o.BaseURL, Secure: secure, Proxies: o.Proxies,
		Session: session, Known: known,
		Token: e.Identity.TokenFrom, Seal: o.Ring.SealTagged, Open: o.Ring.OpenTagged,
		Confirm: func(ctx context.Context, c *tool.Call, password string) error {
			_, err := tool.Do(ctx, e.Run, e.Identity.ConfirmPassword, c, identity.ConfirmPassword{Password: password})
			return err
		},
	}
}

// foreign answers a write that another site's page sent.
func foreign(http.ResponseWriter, *http.Request) error {
	return refusal.Forbidden.Say("This came from another site's page. Writes are taken from this dashboard and from programs only.").
		With("reason", "cross_origin")
}
