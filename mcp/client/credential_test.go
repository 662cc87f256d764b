package client

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// gate stands before a server and answers everything with its status, unless
// that is 0.
type gate struct {
	*httptest.Server
	status atomic.Int64
	asked  atomic.Int64
}

func newGate(t *testing.T, to http.Handler) *gate {
	t.Helper()
	g := &gate{}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.asked.Add(1)
		if status := g.status.Load(); status != 0 {
			w.WriteHeader(int(status))
			return
		}
		to.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		g.CloseClientConnections()
		g.Close()
	})
	return g
}

func (g *gate) spec(transport Transport) Spec {
	spec := fault("gated")
	spec.Command, spec.Args, spec.Env = "", nil, nil
	spec.Transport, spec.URL, spec.AllowLoopback = transport, g.URL+"/mcp", true
	spec.Headers, spec.Secrets = map[string]string{"X-Key": canary}, []string{canary}
	return spec
}

// modernWeb is a server of the newer era with one tool.
func modernWeb() http.Handler {
	s := mcp.NewServer(&mcp.Implementation{Name: "modern", Version: "2"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "echo"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "echo"}}}, nil, nil
	})
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true})
}

// A credential that stops being good fails the calls it is refused on, and
// nothing but them: any answer to a ping is life. The next listing tells of
// the server itself.
func TestCredentialThatIsRevoked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		server    func(*testing.T) http.Handler
		transport Transport
	}{
		"http":                  {func(t *testing.T) http.Handler { return newWeb(t) }, HTTP},
		"http of the newer era": {func(*testing.T) http.Handler { return modernWeb() }, HTTP},
		"sse":                   {func(t *testing.T) http.Handler { return newOldWeb(t) }, SSE},
	} {
		for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden} {
			t.Run(name+", "+http.StatusText(status), func(t *testing.T) {
				t.Parallel()
				clock := newStill()
				h, g := newHouse(t, clock), newGate(t, c.server(t))
				spec := g.spec(c.transport)
				h.pool.Apply([]Spec{spec})
				h.running(spec.Name)
				at := h.now()
				g.status.Store(int64(status))
				for range 2 {
					_, err := h.pool.Call(t.Context(), spec.Key, "echo", nil)
					if e := fails(t, err, Unauthorized); !strings.Contains(e.Says, http.StatusText(status)) {
						t.Errorf("got %q", e.Says)
					}
				}
				h.isAskedWhetherItLives(clock, g)
				g.status.Store(0)
				if _, err := h.pool.Call(t.Context(), spec.Key, "echo", nil); err != nil {
					t.Errorf("once it is good again: %v", err)
				}
				if h.now() != at || h.pool.Reports()[0].State != Running {
					t.Errorf("more was told of it: %s", lines(h.all()[at:]))
				}
				g.status.Store(int64(status))
				_, err := h.pool.Check(t.Context(), spec.Key)
				fails(t, err, Unauthorized)
				r := h.until(at, spec.Name, isFailed)
				if r.Fault != Unauthorized || !strings.HasPrefix(r.Error, "It answered 40") || r.RetryAt.IsZero() {
					t.Errorf("got %+v", r)
				}
				h.keepsSecret(err)
			})
		}
	}
}

// isAskedWhetherItLives has one ping go out and its answer be judged.
func (h *house) isAskedWhetherItLives(clock *still, g *gate) {
	h.t.Helper()
	alone := func() bool { return clock.quiet(1, 1) } // the alarm of the next ping
	eventually(h.t, "the next ping is due", alone)
	asked := g.asked.Load()
	clock.advance(healthEvery)
	eventually(h.t, "it is asked whether it lives", func() bool { return g.asked.Load() > asked })
	eventually(h.t, "one more ping is due", alone)
}

// A server that announces a change and then refuses to list it refuses us.
func TestCredentialThatIsRefusedOnANewListing(t *testing.T) {
	t.Parallel()
	h, s := newHouse(t, SystemClock()), newWeb(t)
	s.listen = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		s.turn(func(w http.ResponseWriter, m message) bool {
			if m.Method == "tools/list" && s.count("tools/list") > 1 {
				w.WriteHeader(http.StatusForbidden)
				return true
			}
			return false
		})
		_, _ = flushing{w}.Write([]byte("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n"))
		<-r.Context().Done()
	}
	spec := s.spec("web")
	h.pool.Apply([]Spec{spec})
	r := h.until(0, "web", isFailed)
	if r.Fault != Unauthorized || r.Error != "It answered 403 Forbidden: it refuses the credential." {
		t.Errorf("got %+v", r)
	}
	if !strings.Contains(lines(h.all()), string(Running)) {
		t.Error("it never ran")
	}
}
