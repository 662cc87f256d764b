package door_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"crewlet/engine/access"
	"crewlet/engine/tool"
	"crewlet/mcp/door"
)

// patience is how long a test waits for what has to come.
const patience = 20 * time.Second

// house is a door with tools of the test's own; a token is its holder's name.
type house struct {
	*door.Door
	t   *testing.T
	url string
	// end closes what every credential holds open.
	end context.CancelFunc
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{t: t}
	life, end := context.WithCancel(context.Background())
	h.end = end
	h.Door = door.New(door.Options{
		Name: "test", Version: "1", Log: slog.New(slog.NewTextHandler(t.Output(), nil)), Origins: []string{"https://ours.example"},
		Call: func(r *http.Request) *tool.Call {
			return &tool.Call{By: access.Principal{Kind: access.Person, ID: strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")}}
		},
		Valid: func(*http.Request) error { return nil },
		Hold: func(r *http.Request) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(r.Context())
			stop := context.AfterFunc(life, cancel)
			return ctx, func() { stop(); cancel() }
		},
	})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h.Serve(w, r); err != nil {
			http.Error(w, err.Error(), http.StatusTeapot)
		}
	}))
	t.Cleanup(func() { end(); s.Close() })
	h.url = s.URL
	return h
}

// offer adds a tool that is no use case.
func (h *house) offer(name string, run server.ToolHandlerFunc) {
	h.MCP().AddTools(server.ServerTool{Tool: mcp.NewToolWithRawSchema(name, "For a test.", json.RawMessage(`{"type":"object"}`)), Handler: run})
}

const newest = "2026-07-28"

// send begins a request of somebody; what is answered may be a stream. Every
// caller claims the same session.
func (h *house) send(ctx context.Context, by, method, body string, newer bool) *http.Response {
	h.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, h.url, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+by)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(server.HeaderKeySessionID, "everybodys")
	if newer {
		var m struct {
			Method string
			Params struct{ Name string }
		}
		if err := json.Unmarshal([]byte(body), &m); err != nil {
			h.t.Fatal(err)
		}
		r.Header.Set(mcp.HeaderProtocolVersion, newest)
		r.Header.Set("Mcp-Method", m.Method)
		if m.Params.Name != "" {
			r.Header.Set("Mcp-Name", m.Params.Name)
		}
	}
	got, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = got.Body.Close() })
	return got
}

// request is a message of either protocol.
func request(id int, method, params string, newer bool) string {
	if newer {
		meta := fmt.Sprintf(`"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientCapabilities":{},"progressToken":"p"}`, newest)
		params = strings.TrimPrefix(params, "{")
		if params != "}" {
			meta += ","
		}
		params = "{" + meta + params
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
}

func calls(id int, name string, newer bool) string {
	return request(id, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":{}}`, name), newer)
}

// events are the messages of a stream as they come; the channel is closed at
// its end.
func events(from io.Reader) <-chan string {
	all := make(chan string, 1000)
	go func() {
		defer close(all)
		lines := bufio.NewScanner(from)
		for lines.Scan() {
			if data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: ")); ok {
				all <- string(data)
			}
		}
	}()
	return all
}

// next is the next message; it has to come.
func (h *house) next(from <-chan string) string {
	h.t.Helper()
	select {
	case text, open := <-from:
		if !open {
			h.t.Fatal("the stream ended")
		}
		return text
	case <-time.After(patience):
		h.t.Fatal("nothing came")
		return ""
	}
}

// ends waits for the end of a stream, and answers what still came.
func (h *house) ends(from <-chan string) []string {
	h.t.Helper()
	var rest []string
	for {
		select {
		case text, open := <-from:
			if !open {
				return rest
			}
			rest = append(rest, text)
		case <-time.After(patience):
			h.t.Fatal("the stream stays open")
		}
	}
}

func whole(t *testing.T, r *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
