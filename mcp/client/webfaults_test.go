package client

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// canary is a credential that must be seen by its own server alone.
const canary = "canary-5f0c3b7e"

// web is a server over HTTP of the older era, written by hand so that it can
// do what no library would.
type web struct {
	*httptest.Server
	mute    bool
	muteOn  string // a method that is never answered
	status  int    // what a session it does not know is answered
	refuse  func(w http.ResponseWriter, m message) bool
	answer  func(w http.ResponseWriter, m message) bool
	listen  func(w http.ResponseWriter, r *http.Request)
	tools   []string
	mu      sync.Mutex
	session string
	minted  int
	calls   int
	seen    map[string]int // requests by method of HTTP or JSON-RPC
	bare    []string       // those without the credential
}

func newWeb(t *testing.T) *web {
	t.Helper()
	s := &web{
		status: http.StatusNotFound, seen: map[string]int{},
		tools: []string{
			tool("echo"),
			`{"name":"look","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`,
		},
	}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() {
		s.CloseClientConnections() // also of the streams that are still held
		s.Close()
	})
	return s
}

func (s *web) spec(name string) Spec {
	spec := fault(name)
	spec.Command, spec.Args, spec.Env = "", nil, nil
	spec.Transport, spec.URL, spec.AllowLoopback = HTTP, s.URL+"/mcp", true
	spec.Headers = map[string]string{"Authorization": "Bearer " + canary}
	spec.Secrets = []string{canary}
	return spec
}

// forget is what a restart of the server does to its sessions.
func (s *web) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session = "forgotten"
}

// count is how often a method was asked.
func (s *web) count(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen[method]
}

// asked lists what was asked, and what of it without the credential.
func (s *web) asked() (seen map[string]int, bare []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.seen), slices.Clone(s.bare)
}

// turn makes the server refuse from now on.
func (s *web) turn(refuse func(w http.ResponseWriter, m message) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = refuse
}

func (s *web) refused(w http.ResponseWriter, m message) bool {
	s.mu.Lock()
	refuse := s.refuse
	s.mu.Unlock()
	return refuse != nil && refuse(w, m)
}

func (s *web) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var m message
	_ = json.Unmarshal(body, &m)
	known := s.note(r, m)
	switch {
	case s.mute, m.Method != "" && m.Method == s.muteOn:
		<-r.Context().Done()
	case r.Method == http.MethodGet && s.listen != nil:
		s.listen(w, r)
	case r.Method == http.MethodGet:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case r.Method == http.MethodDelete:
	case s.refused(w, m):
	case !known && m.Method != "server/discover" && m.Method != "initialize":
		w.WriteHeader(s.status)
		reply(w, m, "", `{"code":-32000,"message":"Bad Request: No valid session ID provided"}`)
	case s.answer != nil && s.answer(w, m):
	default:
		s.serve(w, m)
	}
}

// note counts a request and reports whether its session is known.
func (s *web) note(r *http.Request, m message) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := r.Method
	if m.Method != "" {
		name = m.Method
	}
	s.seen[name]++
	if !strings.Contains(r.Header.Get("Authorization"), canary) {
		s.bare = append(s.bare, name)
	}
	return r.Header.Get("Mcp-Session-Id") == s.session
}

func (s *web) serve(w http.ResponseWriter, m message) {
	switch m.Method {
	case "initialize":
		s.mu.Lock()
		s.minted++
		s.session = fmt.Sprintf("session-%d", s.minted)
		w.Header().Set("Mcp-Session-Id", s.session)
		s.mu.Unlock()
		reply(w, m, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"web","version":"1"}}`, "")
	case "tools/list":
		s.mu.Lock()
		listed := strings.Join(s.tools, ",")
		s.mu.Unlock()
		reply(w, m, `{"tools":[`+listed+`]}`, "")
	case "tools/call":
		s.mu.Lock()
		s.calls++
		n := s.calls
		s.mu.Unlock()
		reply(w, m, fmt.Sprintf(`{"content":[{"type":"text","text":"%s %d"}]}`, m.Params.Name, n), "")
	case "ping":
		reply(w, m, `{}`, "")
	default:
		if len(m.ID) == 0 {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		reply(w, m, "", `{"code":-32601,"message":"no such method"}`)
	}
}

// reply writes a JSON-RPC answer: a result, or else an error.
func reply(w io.Writer, m message, result, fault string) {
	if h, ok := w.(http.ResponseWriter); ok {
		h.Header().Set("Content-Type", "application/json")
	}
	if len(m.ID) == 0 {
		m.ID = json.RawMessage("null")
	}
	part := `"result":` + result
	if result == "" {
		part = `"error":` + fault
	}
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, m.ID, part)
}

// keepsSecret checks that the credential is in no log, report or error.
func (h *house) keepsSecret(errs ...error) {
	h.t.Helper()
	text, _ := json.Marshal(h.all())
	for where, s := range map[string]string{"the log": h.log.String(), "a report": string(text), "an error": fmt.Sprint(errs)} {
		if strings.Contains(s, canary) {
			h.t.Errorf("the credential is in %s", where)
		}
	}
}
