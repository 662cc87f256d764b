package client

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// A server that leaves server/discover unanswered is asked the older way.
func TestSilentProbeOverHTTP(t *testing.T) {
	t.Parallel()
	h, s := newHouse(t, fast{10}), newWeb(t)
	s.muteOn = "server/discover"
	h.pool.Apply([]Spec{s.spec("web")})
	if r := h.running("web"); r.Era != "2025-11-25" || r.Attempt != 1 {
		t.Errorf("got %+v", r)
	}
}

// What changes is told by the stream of notices; when it was down for a
// while, the server is listed anew, since a notice may have been missed.
func TestStreamOfNotices(t *testing.T) {
	t.Parallel()
	clock := newStill()
	h, s := newHouse(t, clock), newWeb(t)
	next := make(chan string)
	s.listen = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		out := flushing{w}
		_, _ = io.WriteString(out, ": open\n\n")
		for {
			select {
			case text := <-next:
				if text == "" {
					return
				}
				_, _ = io.WriteString(out, text)
			case <-r.Context().Done():
				return
			}
		}
	}
	spec := s.spec("web")
	h.pool.Apply([]Spec{spec})
	h.running("web")

	add := func(name string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.tools = append(s.tools, tool(name))
	}
	lists := func(name string) {
		t.Helper()
		eventually(t, name+" is listed", func() bool {
			clock.advance(longestReopen / 100)
			h.mu.Lock()
			defer h.mu.Unlock()
			for _, r := range h.reports {
				if r.Catalogue != nil && strings.Contains(fmt.Sprint(r.Catalogue.Tools), name) {
					return true
				}
			}
			return false
		})
	}
	add("second")
	next <- "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n"
	lists("second")
	add("third")
	next <- "" // the stream ends, and nobody says what has changed
	lists("third")
	if r := h.pool.Reports()[0]; r.State != Running || r.Attempt != 1 || s.count("initialize") != 1 {
		t.Errorf("got %+v after %d sessions", r, s.count("initialize"))
	}
}

// A large result comes whole, and others do not wait for it.
func TestLargeResultOverHTTP(t *testing.T) {
	t.Parallel()
	for name, head := range map[string]string{"as a document": "", "as an event": "data: "} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, s := newHouse(t, SystemClock()), newWeb(t)
			s.answer = func(w http.ResponseWriter, m message) bool {
				if m.Params.Name != "look" {
					return false
				}
				kind := "application/json"
				if head != "" {
					kind = "text/event-stream"
				}
				w.Header().Set("Content-Type", kind)
				_, _ = fmt.Fprintf(w, `%s{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}]}}`+"\n\n", head, m.ID, strings.Repeat("x", 20<<20))
				return true
			}
			spec := s.spec("web")
			h.pool.Apply([]Spec{spec})
			h.running("web")
			res, err := h.pool.Call(t.Context(), spec.Key, "look", nil)
			if err != nil || len(res.Raw) < 20<<20 {
				t.Fatalf("got %v", err)
			}
			if _, err := h.pool.Call(t.Context(), spec.Key, "echo", nil); err != nil {
				t.Error(err)
			}
		})
	}
}
