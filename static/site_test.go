package static_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"crewlet/static"
)

// site is a small server under the policy the program has. A page is what is
// set for its method and path; every request is told on asked.
type site struct {
	t     *testing.T
	url   string
	asked chan string // "GET /path?query"

	mu      sync.Mutex
	pages   map[string]func(*http.Request) string
	streams map[chan string]struct{}
	out     bool // nobody is signed in
}

const policy = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

func serve(t *testing.T) *site {
	t.Helper()
	s := &site{
		t: t, asked: make(chan string, 1000),
		pages: map[string]func(*http.Request) string{}, streams: map[chan string]struct{}{},
	}
	server := httptest.NewServer(http.HandlerFunc(s.answer))
	t.Cleanup(func() {
		server.CloseClientConnections() // streams would hold Close
		server.Close()
	})
	s.url = server.URL
	s.page("GET /viewer", func(*http.Request) string { return "{}" })
	return s
}

// page sets what a method and path answer.
func (s *site) page(route string, answer func(*http.Request) string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[route] = answer
}

func (s *site) shows(path, body string) {
	s.page("GET "+path, func(*http.Request) string { return document(body) })
}

func (s *site) answer(w http.ResponseWriter, r *http.Request) {
	if a, ok := static.Lookup(r.URL.Path); ok {
		w.Header().Set("Content-Type", a.Type)
		_, _ = w.Write(a.Content)
		return
	}
	s.mu.Lock()
	out, page := s.out, s.pages[r.Method+" "+r.URL.Path]
	s.mu.Unlock()
	if !out && r.URL.Path == "/live" {
		s.stream(w, r)
		return
	}
	s.asked <- r.Method + " " + r.URL.String()
	switch {
	case out:
		w.WriteHeader(http.StatusUnauthorized)
	case page == nil:
		http.NotFound(w, r)
	default:
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(w, page(r))
	}
}

func (s *site) stream(w http.ResponseWriter, r *http.Request) {
	events := make(chan string, 10)
	s.mu.Lock()
	s.streams[events] = struct{}{}
	s.mu.Unlock()
	s.asked <- r.Method + " " + r.URL.String() // now it hears what is told
	defer func() {
		s.mu.Lock()
		delete(s.streams, events)
		s.mu.Unlock()
		s.asked <- "left /live"
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = fmt.Fprint(w, ": hello\n\n")
	for {
		_ = http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
			return
		case event, open := <-events:
			if !open {
				return
			}
			_, _ = fmt.Fprint(w, event)
		}
	}
}

// tell sends an event to every stream; end ends them all.
func (s *site) tell(event, data string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for stream := range s.streams {
		stream <- fmt.Sprintf("event: %s\ndata: %s\n\n", event, data)
	}
}

func (s *site) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for stream := range s.streams {
		close(stream)
		delete(s.streams, stream)
	}
}

func (s *site) signOut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out = true
}

// waitsFor reads requests until this one was asked.
func (s *site) waitsFor(request string) {
	s.t.Helper()
	var seen []string
	late := time.After(20 * time.Second)
	for {
		select {
		case got := <-s.asked:
			if got == request {
				return
			}
			seen = append(seen, got)
		case <-late:
			s.t.Fatalf("%s was never asked, but\n%s", request, strings.Join(seen, "\n"))
		}
	}
}

// document is a page as views/layout draws it, as far as scripts look at it.
func document(body string) string {
	return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Page</title>
<meta name="htmx-config" content='{"includeIndicatorCSS":false,"history":"reload","noSwap":[204,304,"4xx","5xx"],"morphIgnore":["data-htmx-powered","open"]}'>
<link rel="icon" href="` + static.Path("favicon.svg") + `"><link rel="stylesheet" href="` + static.Path("app.css") + `">
<script src="` + static.Path("theme.js") + `"></script><script src="` + static.Path("htmx.js") + `" defer></script>
<script src="` + static.Path("app.js") + `" defer></script></head><body>` + body + `<div id="say" role="status"></div></body></html>`
}
