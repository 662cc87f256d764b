package handlers

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"crewlet/engine/company"
	"crewlet/engine/enginetest"
	"crewlet/engine/identity"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

func TestMCPTakesWhatItTakes(t *testing.T) {
	t.Parallel()
	b := open(t)
	token := b.mint(true, "all").Value
	cookie := b.administrator().Cookie()
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
	plain := as(token, "Content-Type", "application/json")
	for name, c := range map[string]struct {
		method, body string
		headers      []string
		status       int
		holds        string
	}{
		"a message":             {"POST", list, plain, 200, `"tools":[{`},
		"our own page's":        {"POST", list, append(plain, "Origin", b.url), 200, `"tools":[{`},
		"a made-up session":     {"POST", list, append(plain, "Mcp-Session-Id", "x"), 200, `"tools":[{`},
		"with a charset":        {"POST", list, as(token, "Content-Type", "application/json; charset=utf-8"), 200, `"tools":[{`},
		"a batch":               {"POST", "[" + list + "]", plain, 400, "-32700"},
		"no JSON":               {"POST", "{", plain, 400, "-32700"},
		"a protocol of no time": {"POST", list, append(plain, "Mcp-Protocol-Version", "1999-01-01"), 400, "version"},
		"a form":                {"POST", "a=b", as(token, "Content-Type", "application/x-www-form-urlencoded"), 415, "wrong_media_type"},
		"no content type":       {"POST", list, as(token), 415, "wrong_media_type"},
		"another site's page":   {"POST", list, append(plain, "Origin", "https://evil.example"), 403, "cross_origin"},
		"another site listens":  {"GET", "", as(token, "Origin", "https://evil.example"), 403, "cross_origin"},
		"nobody":                {"POST", list, []string{"Content-Type", "application/json"}, 401, "unauthenticated"},
		"a token of nobody":     {"POST", list, as("crw_tok_x", "Content-Type", "application/json"), 401, "unauthenticated"},
		"a browser's cookie":    {"POST", list, []string{"Cookie", cookie, "Content-Type", "application/json"}, 401, "unauthenticated"},
		"ending a session":      {"DELETE", "", append(plain, "Mcp-Session-Id", "x"), 405, "wrong_method"},
		"putting":               {"PUT", list, plain, 405, "wrong_method"},
		"asking for the head":   {"HEAD", "", plain, 405, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := b.ask(t, c.method, "/operator/mcp", text(c.body), c.headers...)
			if got.status != c.status || !strings.Contains(got.text, c.holds) {
				t.Errorf("answered %d, want %d: %.300s", got.status, c.status, got.text)
			}
			if c.status == 401 && !strings.HasPrefix(got.header.Get("WWW-Authenticate"), "Bearer") {
				t.Errorf("401 with %v", got.header)
			}
			if c.status == 405 && got.header.Get("Allow") == "" {
				t.Error("405 without Allow")
			}
		})
	}
}

// A body of 200 MB is refused by what it says of itself; one that says nothing,
// as soon as it is too much.
func TestMCPReadsNoMoreThanItTakes(t *testing.T) {
	t.Parallel()
	b := open(t)
	token := b.mint(true, "all").Value
	for name, head := range map[string]string{"of a known length": "Content-Length: 209715200", "without an end": "Transfer-Encoding: chunked"} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
			b.must(err)
			defer func() { _ = conn.Close() }()
			_, err = fmt.Fprintf(conn, "POST /operator/mcp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n%s\r\n\r\n", token, head)
			b.must(err)
			sent := make(chan int, 1)
			go func() {
				chunk, total := []byte(fmt.Sprintf("%x\r\n%s\r\n", 64<<10, strings.Repeat(" ", 64<<10))), 0
				for total < 200<<20 {
					n, err := conn.Write(chunk)
					total += n
					if err != nil {
						break
					}
				}
				sent <- total
			}()
			got, err := http.ReadResponse(bufio.NewReader(conn), nil)
			b.must(err)
			body, _ := io.ReadAll(got.Body)
			_ = conn.Close()
			if total := <-sent; got.StatusCode != 413 || !strings.Contains(string(body), "too_large") || total > 20<<20 {
				t.Errorf("answered %d after %d bytes: %.200s", got.StatusCode, total, body)
			}
		})
	}
}

// held opens a stream at the MCP door.
func (b *bench) held(t *testing.T, token, era string) *tab {
	t.Helper()
	method, body, headers := http.MethodGet, "", []string{"Accept", "text/event-stream"}
	if era == mcpNew {
		m, more := rpc{era: era, method: "subscriptions/listen", params: map[string]any{"notifications": map[string]any{"toolsListChanged": true}}}.encode(t)
		method, body, headers = http.MethodPost, string(m), more
	}
	ctx, leave := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, method, b.url+"/operator/mcp", text(body))
	b.must(err)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	r.Header.Set("Authorization", "Bearer "+token)
	got, err := http.DefaultTransport.RoundTrip(r)
	b.must(err)
	if got.StatusCode != http.StatusOK {
		t.Fatalf("a stream is answered %d", got.StatusCode)
	}
	one := &tab{t: t, status: got.StatusCode, header: got.Header, events: make(chan event, 1000), leave: leave}
	go func() {
		defer close(one.events)
		defer func() { _ = got.Body.Close() }()
		_ = messages(got.Body, one.events)
	}()
	t.Cleanup(leave)
	return one
}

// waiting is a call of wait_events under way, and its answer.
func (b *bench) waiting(t *testing.T, token string, args map[string]any) <-chan called {
	t.Helper()
	// A call that was just answered may still be counted: what is counted has to
	// come to rest first.
	streams, rested := -1, 0
	eventually(t, "calls before it have left", func() bool {
		if now := b.site.hub.Streams(); now != streams {
			streams, rested = now, 0
		}
		rested++
		return rested > 10
	})
	answer := make(chan called, 1)
	go func() { answer <- b.callTool(t, token, mcpOld, "wait_events", args) }()
	eventually(t, "it waits", func() bool { return b.site.hub.Streams() > streams })
	return answer
}

func TestARevokedTokenEndsWhatItHoldsOpen(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.follow()
	mine, other := b.mint(true, "all"), b.mint(true, "all")
	older, newer, stays := b.held(t, mine.Value, mcpOld), b.held(t, mine.Value, mcpNew), b.held(t, other.Value, mcpOld)
	waits := b.waiting(t, mine.Value, map[string]any{"topics": []string{"secrets"}})
	_, err := tool.Do(t.Context(), b.Run, b.Identity.RevokeToken, enginetest.By("ana"), identity.RevokeToken{Token: mine.ID})
	b.must(err)
	older.ends()
	newer.ends()
	if got := <-waits; !got.isRefused(refusal.Unavailable) {
		t.Errorf("the wait answers %s", got.Content)
	}
	b.site.Close() // as the node does when it is told to stop
	stays.ends()
}

func TestWaitingHearsOfWhatMayBeSeen(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.follow()
	all, reader := b.mint(true, "all").Value, b.mint(false, "state:read").Value
	from := b.callTool(t, all, mcpOld, "poll_events", nil).fields["next"]
	blind := b.waiting(t, reader, map[string]any{"after": from, "timeout_ms": 30000})
	waits := b.waiting(t, all, map[string]any{"after": from, "topics": []string{"secrets"}})
	at := b.stores("A")
	got := eventsOf(t, <-waits)
	if len(got.Events) != 1 || got.Events[0].Kind != "secret.set" || got.Events[0].Position != at || got.Next != at {
		t.Errorf("told %+v", got)
	}
	c := enginetest.By("ana")
	_, err := tool.Do(t.Context(), b.Run, b.Company.SwitchServer, c, company.SwitchServer{Name: "web", Writing: company.Writing{Summary: "x"}})
	b.must(err)
	seen := eventsOf(t, <-blind)
	for _, e := range seen.Events {
		if strings.HasPrefix(e.Kind, "secret.") || strings.HasPrefix(e.Kind, "token.") {
			t.Errorf("a reader of the state is told %+v", e)
		}
	}
	if len(seen.Events) == 0 || seen.Next < c.Landed.Position {
		t.Errorf("the reader is told %+v", seen)
	}
	// What was missed is told at once, and nothing twice.
	again := eventsOf(t, b.callTool(t, all, mcpOld, "wait_events", map[string]any{"after": from, "limit": 1}))
	if len(again.Events) != 1 || again.Events[0].Position != at || !again.More {
		t.Errorf("told again %+v", again)
	}
	start := time.Now()
	none := eventsOf(t, b.callTool(t, all, mcpOld, "wait_events", map[string]any{"after": c.Landed.Position, "topics": []string{"secrets"}, "timeout_ms": 50}))
	if len(none.Events) != 0 || none.Next < c.Landed.Position || time.Since(start) < 50*time.Millisecond {
		t.Errorf("with nothing new it answers %+v", none)
	}
}

type heard struct {
	Events []struct {
		Kind     string
		Position int64
	}
	Next int64
	More bool
}

func eventsOf(t *testing.T, c called) heard {
	t.Helper()
	var got heard
	if err := json.Unmarshal(c.Content, &got); err != nil || c.Error {
		t.Fatalf("answered %s: %v", c.Content, err)
	}
	return got
}

func TestWhatCannotBeFollowed(t *testing.T) {
	t.Parallel()
	b := open(t)
	reader := b.mint(false, "state:read").Value
	for name, c := range map[string]struct {
		args  map[string]any
		class refusal.Class
	}{
		"no such topic":             {map[string]any{"topics": []string{"weather"}}, refusal.Invalid},
		"another's topic":           {map[string]any{"topics": []string{"secrets"}}, refusal.Forbidden},
		"a cursor below nothing":    {map[string]any{"after": -1}, refusal.Invalid},
		"a cursor past the log":     {map[string]any{"after": 1 << 40}, refusal.Invalid},
		"a strange argument":        {map[string]any{"since": 1}, refusal.Invalid},
		"too many at once":          {map[string]any{"limit": 201}, refusal.Invalid},
		"longer than half a minute": {map[string]any{"timeout_ms": 30001}, refusal.Invalid},
		"a key of a read":           {map[string]any{"op_id": tool.NewKey()}, refusal.OpIDInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			if got := b.callTool(t, reader, mcpNew, "wait_events", c.args); !got.isRefused(c.class) {
				t.Errorf("answered %s", got.Content)
			}
		})
	}
}

func TestKeysOverMCP(t *testing.T) {
	t.Parallel()
	b := open(t)
	token := b.mint(true, "all").Value
	for name, key := range map[string]any{"no UUID": "again", "another version": "9b2f6f0e-3c57-4d0c-8a2e-0d3c6f1f9a11", "a number": 7} {
		got := b.callTool(t, token, mcpOld, "reload_config", map[string]any{"op_id": key})
		if !got.isRefused(refusal.OpIDInvalid) || !strings.HasPrefix(fmt.Sprint(got.fields["message"]), "op_id is a UUIDv7") {
			t.Errorf("%s: answered %s", name, got.Content)
		}
	}
	first := b.callTool(t, token, mcpOld, "reload_config", map[string]any{"op_id": nil})
	key, _ := first.fields["op_id"].(string)
	if again := b.callTool(t, token, mcpNew, "reload_config", map[string]any{"op_id": key}); string(again.Content) != string(first.Content) {
		t.Errorf("a repeat answers %s, the first %s", again.Content, first.Content)
	}
	if other := b.callTool(t, token, mcpOld, "check_mcp_server", map[string]any{"name": "web", "op_id": key}); !other.isRefused(refusal.Conflict) {
		t.Errorf("another tool under the key answers %s", other.Content)
	}
	if somebody := b.callTool(t, b.mint(true, "all").Value, mcpOld, "reload_config", map[string]any{"op_id": key}); somebody.Error || somebody.fields["position"] == first.fields["position"] {
		t.Errorf("somebody else's key answers %s", somebody.Content)
	}
}
