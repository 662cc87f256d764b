package web

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/sessions"

	"crewlet/engine/refusal"
)

// identifyWithin bounds the look-up of a credential: a database that does not
// answer is "could not check", not a wait without end.
const identifyWithin = 5 * time.Second

// identify reads the credential. None is nobody, which many pages refuse
// later by their row; a credential that could not be checked is an error here.
func (d *Door) identify(r *http.Request, api bool, session func(context.Context, string) (Viewer, error)) (Viewer, error) {
	ctx, cancel := context.WithTimeout(r.Context(), identifyWithin)
	defer cancel()
	r = r.WithContext(ctx)
	// A page's own address answers programs too, where they ask for JSON.
	if header := r.Header.Get("Authorization"); (api || WantsJSON(r)) && header != "" {
		scheme, value, _ := strings.Cut(header, " ")
		if !strings.EqualFold(scheme, "bearer") {
			return Viewer{}, refusal.Unauthenticated.Say("The Authorization header is \"Bearer\" and a token.")
		}
		by, err := d.Token(r.Context(), visitOf(r).source, strings.TrimSpace(value))
		return Viewer{By: by, Name: by.Name, Login: by.Name}, err
	}
	id := d.sessionID(r)
	if id == "" {
		return Viewer{}, nil
	}
	v, err := session(r.Context(), id)
	if refusal.Is(err, refusal.Unauthenticated) {
		return Viewer{}, nil
	}
	return v, err
}

// cookieName carries __Host- where the browser can hold it to https.
func (d *Door) cookieName() string {
	if d.Secure {
		return "__Host-crewlet"
	}
	return "crewlet"
}

// sessionID reads the id out of the signed cookie; a forged or old cookie
// reads as none.
func (d *Door) sessionID(r *http.Request) string {
	s, err := d.Sessions.Get(r, d.cookieName())
	if err != nil {
		return ""
	}
	id, _ := s.Values["id"].(string)
	return id
}

// CookieAge is the absolute life of a browser session in seconds: 60 days.
const CookieAge = 60 * 24 * 60 * 60

// SignIn gives the browser the cookie of a session; an empty id takes it away.
func SignIn(w http.ResponseWriter, r *http.Request, id string) error {
	d := visitOf(r).door
	s, _ := d.Sessions.New(r, d.cookieName()) // a bad old cookie still gives a usable session
	s.Values["id"] = id
	s.Options = &sessions.Options{Path: "/", MaxAge: CookieAge, HttpOnly: true, Secure: d.Secure, SameSite: http.SameSiteLaxMode}
	if id == "" {
		s.Options.MaxAge = -1
	}
	return d.Sessions.Save(r, w, s)
}

// source is the address a request came from. X-Forwarded-For is believed from
// right to left as far as it was written by trusted proxies.
func (d *Door) source(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	hops := strings.Split(r.Header.Get("X-Forwarded-For"), ",")
	for i := len(hops) - 1; i >= 0 && d.trusts(host); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		host = hop.String()
	}
	return host
}

func (d *Door) trusts(host string) bool {
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	for _, p := range d.Proxies {
		if p.Contains(addr.Unmap()) {
			return true
		}
	}
	return false
}

const minPositionName = "min_position"

// minPosition is the position a read must have reached: what a live event
// said, sent back by the page that heard it.
func minPosition(r *http.Request) int64 {
	text := r.Header.Get("X-Min-Position")
	if text == "" {
		text = r.URL.Query().Get(minPositionName)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// Valid asks again whether the request's credential still holds.
func (d *Door) Valid(r *http.Request) error {
	v := visitOf(r)
	viewer, err := d.identify(r, v.api, d.Session)
	if err == nil && viewer.By.Key() != v.viewer.By.Key() {
		return refusal.Unauthenticated.Say("You are signed out.")
	}
	return err
}
