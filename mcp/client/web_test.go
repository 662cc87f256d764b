package client

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestServerOverHTTP(t *testing.T) {
	t.Parallel()
	h, s := newHouse(t, SystemClock()), newWeb(t)
	spec := s.spec("web")
	h.pool.Apply([]Spec{spec})
	r := h.running("web")
	if r.Era != "2025-11-25" || r.Server.Name != "web" || len(r.Catalogue.Tools) != 2 || r.PID != 0 {
		t.Errorf("got %+v", r)
	}
	res, err := h.pool.Call(t.Context(), spec.Key, "echo", json.RawMessage(`{"a":1}`))
	if err != nil || !strings.Contains(string(res.Content), "echo 1") {
		t.Errorf("got %+v %v", res, err)
	}
	h.pool.Apply(nil)
	h.until(0, "web", func(r Report) bool { return r.State == Stopped })
	for _, method := range []string{"GET", "DELETE", "server/discover", "initialize", "notifications/initialized", "tools/list", "tools/call"} {
		if s.count(method) != 1 {
			t.Errorf("%s was asked %d times", method, s.count(method))
		}
	}
	if _, bare := s.asked(); len(bare) > 0 {
		t.Errorf("without the credential were %v", bare)
	}
	h.keepsSecret()
}

// A server that has lost its sessions gets a new one at once, and the row
// says all the while that it runs.
func TestServerThatForgetsItsSession(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		tool   string
		option []CallOption
		lost   bool
	}{
		"404, whatever the tool":           {http.StatusNotFound, "echo", nil, false},
		"400, a tool that only reads":      {http.StatusBadRequest, "look", nil, false},
		"400, said to be repeatable":       {http.StatusBadRequest, "echo", []CallOption{Repeatable()}, false},
		"400, a tool that may have effect": {http.StatusBadRequest, "echo", nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, s := newHouse(t, SystemClock()), newWeb(t)
			s.status = c.status
			spec := s.spec("web")
			h.pool.Apply([]Spec{spec})
			h.running("web")
			at := h.now()
			s.forget()
			res, err := h.pool.Call(t.Context(), spec.Key, c.tool, nil, c.option...)
			if c.lost {
				if e := fails(t, err, Lost); !e.Reached || !strings.Contains(e.Says, "forgotten its session") {
					t.Errorf("got %+v", e)
				}
			} else if err != nil || !strings.Contains(string(res.Content), c.tool+" 1") {
				t.Errorf("got %+v %v", res, err)
			}
			h.until(at, "web", isRunning)
			if _, err = h.pool.Call(t.Context(), spec.Key, "look", nil); err != nil {
				t.Errorf("the next call: %v", err)
			}
			for _, r := range h.all()[at:] {
				if r.State != Running || r.Attempt != 1 {
					t.Errorf("it was %s at attempt %d", r.State, r.Attempt)
				}
			}
			if n := s.count("initialize"); n != 2 || s.count("DELETE") != 0 {
				t.Errorf("there were %d sessions, and %d were ended", n, s.count("DELETE"))
			}
			h.keepsSecret(err)
		})
	}
}

func TestServerThatGivesNoNewSession(t *testing.T) {
	t.Parallel()
	h, s := newHouse(t, SystemClock()), newWeb(t)
	spec := s.spec("web")
	h.pool.Apply([]Spec{spec})
	h.running("web")
	s.turn(func(w http.ResponseWriter, m message) bool {
		if m.Method == "initialize" {
			http.Error(w, "out of memory, token "+canary, http.StatusServiceUnavailable)
		}
		return m.Method == "initialize"
	})
	s.forget()
	_, err := h.pool.Call(t.Context(), spec.Key, "look", nil)
	fails(t, err, Lost)
	r := h.until(0, "web", isFailed)
	if r.Error != "It has forgotten its session, and no new session could begin: it answered 503 Service Unavailable: out of memory, token [redacted]." {
		t.Errorf("got %q", r.Error)
	}
	h.keepsSecret(err)
}

// None of these starts; each says why, and the one beside it runs.
func TestServersOverHTTPThatNeverStart(t *testing.T) {
	t.Parallel()
	elsewhere := newWeb(t)
	all := func(f http.HandlerFunc) func(*web) {
		return func(s *web) { s.refuse = func(w http.ResponseWriter, _ message) bool { f(w, nil); return true } }
	}
	for name, c := range map[string]struct {
		set   func(*web)
		alter func(*Spec)
		clock Clock
		says  string
		fault Fault
		never bool // is it never asked?
	}{
		"redirects elsewhere": {set: all(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", elsewhere.URL+"/mcp?key="+canary)
			w.WriteHeader(http.StatusTemporaryRedirect)
		}), says: "It redirects to " + elsewhere.URL + ", which is another server. Redirects are not followed: declare the address it is to be reached at as its url."},
		"401": {set: all(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
			w.WriteHeader(http.StatusUnauthorized)
		}), says: `It answered 401 Unauthorized: it refuses the credential, or wants one; it asks for Bearer error="invalid_token".`, fault: Unauthorized},
		"403": {set: all(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }),
			says: "It answered 403 Forbidden: it refuses the credential.", fault: Unauthorized},
		"429": {set: all(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "120")
			w.WriteHeader(http.StatusTooManyRequests)
		}), says: "It answered 429 Too Many Requests.", fault: Throttled},
		"a page": {set: all(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<h1>Welcome</h1>"))
		}), says: "It answered 200 OK: its content type is neither application/json nor text/event-stream."},
		"never answers": {set: func(s *web) { s.mute = true }, alter: func(s *Spec) { s.StartupTimeout = time.Minute }, clock: fast{40}, says: "It did not answer within 60 seconds (startup_timeout)."},
		"a loopback address": {alter: func(s *Spec) { s.AllowLoopback = false }, never: true,
			says: "Its address 127.0.0.1 is loopback; allow_private_addresses: true lets this server be reached there."},
		"a name of a loopback address": {alter: func(s *Spec) {
			s.AllowLoopback = false
			s.URL = strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
		}, never: true, says: "Its address "},
		"nobody there": {alter: func(s *Spec) { s.URL = "http://127.0.0.1:1/" + canary }, never: true,
			says: "It cannot be reached: dial tcp 127.0.0.1:1: connect: connection refused."},
		"no address": {alter: func(s *Spec) { s.URL = "ftp://" + canary }, never: true,
			says: "Its url is not an absolute http or https address: cannot be launched."},
		"a header with a line end": {alter: func(s *Spec) { s.Headers["X-Key"] = canary + "\r\nHost: x" }, never: true,
			says: "The value of the header X-Key holds a line end or another control character: cannot be launched."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.clock == nil {
				c.clock = SystemClock()
			}
			h, s, beside := newHouse(t, c.clock), newWeb(t), newWeb(t)
			if c.set != nil {
				c.set(s)
			}
			spec := s.spec("web")
			if c.alter != nil {
				c.alter(&spec)
			}
			h.pool.Apply([]Spec{spec, beside.spec("beside")})
			r := h.until(0, "web", isFailed)
			if !strings.HasPrefix(r.Error, c.says) || r.Fault != c.fault {
				t.Errorf("got %q, fault %q; want %q, fault %q", r.Error, r.Fault, c.says, c.fault)
			}
			if c.fault == Throttled {
				if wait := r.RetryAt.Sub(r.Since); wait < 119*time.Second || wait > 121*time.Second {
					t.Errorf("it is tried again after %s", wait)
				}
			}
			if r := h.running("beside"); r.Error != "" {
				t.Errorf("the one beside it: %+v", r)
			}
			if _, err := h.pool.Call(t.Context(), spec.Key, "echo", nil); err == nil {
				t.Error("a call went well")
			}
			if seen, _ := s.asked(); c.never && len(seen) > 0 {
				t.Errorf("it was asked all the same: %v", seen)
			}
			h.keepsSecret()
		})
	}
	t.Cleanup(func() {
		if seen, _ := elsewhere.asked(); len(seen) > 0 {
			t.Errorf("the other server was asked: %v", seen)
		}
	})
}

// Nothing tells us of the end of a server over HTTP but a request.
func TestServerOverHTTPThatIsGone(t *testing.T) {
	t.Parallel()
	for name, notice := range map[string]func(h *house, clock *still, spec Spec){
		"noticed by a call": func(h *house, _ *still, spec Spec) {
			_, err := h.pool.Call(h.t.Context(), spec.Key, "echo", nil)
			fails(h.t, err, Lost)
		},
		"noticed by the clock": func(h *house, clock *still, _ Spec) {
			eventually(h.t, "it is asked", func() bool {
				clock.advance(healthEvery)
				return h.pool.Reports()[0].State != Running
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := newStill()
			h, s := newHouse(t, clock), newWeb(t)
			spec := s.spec("web")
			h.pool.Apply([]Spec{spec})
			h.running("web")
			s.Close()
			notice(h, clock, spec)
			r := h.until(0, "web", isFailed)
			if !strings.HasPrefix(r.Error, "It cannot be reached: ") {
				t.Errorf("got %q", r.Error)
			}
		})
	}
}

func TestAddressesAreChecked(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"127.0.0.1": "loopback", "::1": "loopback", "0.0.0.0": "loopback", "::ffff:127.0.0.1": "loopback",
		"10.1.2.3": "private", "192.168.0.1": "private", "172.16.0.1": "private", "100.64.0.1": "private", "fd00::1": "private",
		"64:ff9b::10.0.0.1": "private", "2002:7f00:1::": "loopback",
		"169.254.169.254": "link-local", "fe80::1": "link-local",
		"224.0.0.1": "unusable", "255.255.255.255": "unusable", "ff02::1": "unusable",
		"93.184.216.34": "", "2606:2800:220:1::": "",
	} {
		for allowed, r := range map[string]reach{"nothing": {}, "loopback": {loopback: true}, "private": {private: true}} {
			err := r.control("tcp", joined(address), nil)
			no, refused := errors.AsType[forbidden](err)
			pass := want == "" || allowed == "private" && want != "unusable" || allowed == "loopback" && want == "loopback"
			if refused == pass || refused && no.kind != want {
				t.Errorf("%s with %s allowed: got %v", address, allowed, err)
			}
		}
	}
}

func joined(address string) string {
	if strings.Contains(address, ":") {
		return "[" + address + "]:80"
	}
	return address + ":80"
}

// A redirect is not followed, though it stays with the server.
func TestRedirectWithinTheServer(t *testing.T) {
	t.Parallel()
	for name, status := range map[string]int{"that keeps the request": http.StatusPermanentRedirect, "that drops it": http.StatusFound} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, s := newHouse(t, SystemClock()), newWeb(t)
			front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/mcp" {
					http.Redirect(w, r, "/mcp/?key="+canary, status)
					return
				}
				s.ServeHTTP(w, r)
			}))
			t.Cleanup(front.Close)
			spec := s.spec("web")
			spec.URL = front.URL + "/mcp"
			h.pool.Apply([]Spec{spec})
			r := h.until(0, "web", isFailed)
			if want := "It redirects to the path /mcp/ of its own origin, " + front.URL + ". Redirects are not followed: declare that address as its url."; r.Error != want {
				t.Errorf("got %q", r.Error)
			}
			if seen, _ := s.asked(); len(seen) > 0 {
				t.Errorf("behind the redirect were asked %v", seen)
			}
			h.keepsSecret()
		})
	}
}
