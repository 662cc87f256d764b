package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// oldWeb is a server of the transport of 2024-11-05, written by hand.
type oldWeb struct {
	*httptest.Server
	endpoint string
	call     func(stream io.Writer, m message) bool // true: dealt with
	mu       sync.Mutex
	streams  int
	cut      context.CancelFunc
	stream   io.Writer
	answers  []string // what the client answered
	bare     int      // requests without the credential
}

func newOldWeb(t *testing.T) *oldWeb {
	t.Helper()
	s := &oldWeb{endpoint: "/messages?session=1"}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

func (s *oldWeb) spec() Spec {
	spec := fault("old")
	spec.Command, spec.Args, spec.Env = "", nil, nil
	spec.Transport, spec.URL, spec.AllowLoopback = SSE, s.URL+"/sse", true
	spec.Headers, spec.Secrets = map[string]string{"X-Key": canary}, []string{canary}
	return spec
}

type flushing struct{ http.ResponseWriter }

func (f flushing) Write(b []byte) (int, error) {
	n, err := f.ResponseWriter.Write(b)
	f.ResponseWriter.(http.Flusher).Flush()
	return n, err
}

func (s *oldWeb) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Header.Get("X-Key") != canary {
		s.bare++
	}
	if r.Method == http.MethodGet {
		var ctx context.Context
		ctx, s.cut = context.WithCancel(r.Context())
		s.streams++
		s.stream = flushing{w}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprintf(s.stream, ": hello\r\nevent: endpoint\r\ndata: %s\r\n\r\n", s.endpoint)
		s.mu.Unlock()
		<-ctx.Done()
		s.mu.Lock()
		return
	}
	body, _ := io.ReadAll(r.Body)
	var m message
	_ = json.Unmarshal(body, &m)
	w.WriteHeader(http.StatusAccepted)
	switch {
	case m.Method == "" && len(m.ID) > 0:
		s.answers = append(s.answers, string(body))
	case len(m.ID) == 0:
	case m.Method == "tools/call" && s.call != nil && s.call(s.stream, m):
	case m.Method == "initialize":
		s.send(m, `{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}`)
	case m.Method == "tools/list":
		s.send(m, `{"tools":[`+tool("echo")+`]}`)
	default:
		s.send(m, `{"content":[{"type":"text","text":"said `+m.Params.Name+`"}]}`)
	}
}

func (s *oldWeb) send(m message, result string) { sendEvent(s.stream, m, result) }

func sendEvent(w io.Writer, m message, result string) {
	_, _ = fmt.Fprintf(w, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,\ndata: \"result\":%s}\n\n", m.ID, result)
}

func TestServerOverLegacySSE(t *testing.T) {
	t.Parallel()
	h, s := newHouse(t, SystemClock()), newOldWeb(t)
	s.call = func(stream io.Writer, m message) bool {
		// A request of the server's own, whose id is that of the pending call.
		_, _ = fmt.Fprintf(stream, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"ping\"}\n\n", m.ID)
		return false
	}
	spec := s.spec()
	h.pool.Apply([]Spec{spec})
	if r := h.running("old"); r.Era != "2024-11-05" || len(r.Catalogue.Tools) != 1 {
		t.Errorf("got %+v", r)
	}
	res, err := h.pool.Call(t.Context(), spec.Key, "echo", nil)
	if err != nil || !strings.Contains(string(res.Content), "said echo") {
		t.Errorf("got %+v %v", res, err)
	}
	eventually(t, "the server's ping is answered", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.answers) == 1 && strings.Contains(s.answers[0], `"result":{}`)
	})
	if s.bare > 0 {
		t.Errorf("%d requests were without the credential", s.bare)
	}
	h.keepsSecret()
}

// The end of the stream ends the calls that wait, and a new stream follows.
func TestStreamThatEnds(t *testing.T) {
	t.Parallel()
	clock := newStill()
	h, s := newHouse(t, clock), newOldWeb(t)
	s.call = func(io.Writer, message) bool {
		if s.streams == 1 {
			s.cut()
		}
		return s.streams == 1
	}
	spec := s.spec()
	h.pool.Apply([]Spec{spec})
	h.running("old")
	clock.advance(shortestStream)
	_, err := h.pool.Call(t.Context(), spec.Key, "echo", nil)
	if e := fails(t, err, Lost); !e.Reached || !strings.Contains(e.Says, "ended its stream") {
		t.Errorf("got %+v", e)
	}
	eventually(t, "it answers again", func() bool {
		res, err := h.pool.Call(t.Context(), spec.Key, "echo", nil)
		return err == nil && strings.Contains(string(res.Content), "said echo")
	})
	for _, r := range h.all() {
		if r.State == Failed {
			t.Errorf("it failed: %s", r.Error)
		}
	}
}

func TestLegacySSEThatNeverStarts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		says    string
	}{
		"names another server": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "event: endpoint\ndata: https://evil.example/x\n\n")
		}, "It names an address to post to at https://evil.example, which is another server."},
		"no stream": {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") },
			"Its answer is no stream of events; it may speak Streamable HTTP: transport http."},
		"405": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusMethodNotAllowed) },
			"It answered 405 Method Not Allowed."},
		"ends at once": {func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/event-stream") },
			"It ended its stream before it named an address to post to."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := httptest.NewServer(c.handler)
			t.Cleanup(site.Close)
			h := newHouse(t, SystemClock())
			h.pool.Apply([]Spec{{
				Key: Key{Server: "old", Node: "n"}, Name: "old", Transport: SSE, URL: site.URL, AllowLoopback: true,
			}})
			if r := h.until(0, "old", isFailed); r.Error != c.says {
				t.Errorf("got %q, want %q", r.Error, c.says)
			}
		})
	}
}

// The reader of events against what the standard allows.
func TestEventsAreRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string // id, name and data of each
	}{
		"line feeds":       {"data: a\n\ndata: b\n\n", []string{"||a", "||b"}},
		"both":             {"data: a\r\n\r\nid: 7\r\ndata: b\r\n\r\n", []string{"||a", "7||b"}},
		"carriage returns": {"data: a\r\rdata: b\r\r", []string{"||a", "||b"}},
		"several lines":    {"data: a\ndata:b\n\n", []string{"||a\nb"}},
		"comments":         {": x\n\n:\n\ndata: a\n\n", []string{"||a"}},
		"named":            {"event: e\ndata: a\n\n", []string{"|e|a"}},
		"the id stays":     {"id: 1\n\ndata: a\n\n", []string{"1||a"}},
		"cut off":          {"data: a\n\ndata: b\n", []string{"||a"}},
		"no data":          {"event: e\n\ndata\n\ndata: a\n\n", []string{"||a"}},
	} {
		s := newSSE(strings.NewReader(c.text))
		var got []string
		for {
			e, err := s.next()
			if err != nil {
				break
			}
			got = append(got, e.id+"|"+e.name+"|"+string(e.data))
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	s := newSSE(strings.NewReader("data: " + strings.Repeat("x", 100) + "\n\n"))
	s.limit = 50
	if _, err := s.next(); err != errFrameTooLarge {
		t.Errorf("a long event: got %v", err)
	}
}
