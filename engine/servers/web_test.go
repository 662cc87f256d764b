package servers

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"crewlet/engine/refusal"
)

// webServer is an MCP server over HTTP that wants a bearer; the address of a
// real listener on this machine.
func webServer(t *testing.T, bearer *atomic.Value) string {
	t.Helper()
	s := mcp.NewServer(&mcp.Implementation{Name: "web", Version: "1"}, nil)
	addTool(s, "echo")
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+bearer.Load().(string) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	return web.URL
}

func TestReachedByAddress(t *testing.T) {
	t.Parallel()
	var bearer atomic.Value
	bearer.Store("canary-first")
	h := newHouse(t)
	url := webServer(t, &bearer)
	h.store("WEB_TOKEN", "canary-wrong")
	h.declare("  - name: web\n    url: " + url + "\n    allow_private_addresses: true\n    headers: {Authorization: \"Bearer ${WEB_TOKEN}\"}\n" +
		"  - name: bare\n    url: " + url + "\n    allow_private_addresses: true\n")
	sv := h.in("web", Failing)
	if !strings.Contains(sv.Reason, "401") || !strings.Contains(sv.Reason, "${WEB_TOKEN}") || strings.Contains(sv.Reason, "canary") {
		t.Errorf("reason %q", sv.Reason)
	}
	if bare := h.in("bare", Failing); !strings.Contains(bare.Reason, "gives no credential") {
		t.Errorf("reason %q", bare.Reason)
	}
	h.store("WEB_TOKEN", "canary-first")
	h.in("web", Running)
	if out, _, err := h.called(t, "echo", "hi"); err != nil || out.Content[0].Text != "echo said hi" || out.Server != "web" {
		t.Errorf("answer %+v %v", out, err)
	}
	bearer.Store("canary-second") // refused on one call, only that call fails
	if _, _, err := h.called(t, "echo", "hi"); !refusal.Is(err, refusal.Unavailable) {
		t.Errorf("got %v", err)
	}
	if got := h.kinds(sv.ID); !strings.HasPrefix(got, "server.declared server.failed catalogue.changed server.started") {
		t.Errorf("log %q", got)
	}
	if log := h.log.String(); strings.Contains(log, "canary-") {
		t.Error("a secret is in the log")
	}
}
