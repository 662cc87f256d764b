package client

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// everythingOver runs the reference server over a form of HTTP and returns
// its address and how to kill it; port 0 is any.
func everythingOver(t *testing.T, form string, port int) (int, func()) {
	t.Helper()
	if port == 0 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		port = l.Addr().(*net.TCPAddr).Port
		_ = l.Close()
	}
	c := exec.Command("node", everything(t), form)
	c.Env = append(os.Environ(), fmt.Sprintf("PORT=%d", port))
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	kill := sync.OnceFunc(func() {
		_ = c.Process.Kill()
		_ = c.Wait() // it was killed
	})
	t.Cleanup(kill)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.Contains(lines.Text(), fmt.Sprint(port)) {
			go func() { _, _ = io.Copy(io.Discard, out) }() // ends with the server
			return port, kill
		}
	}
	t.Fatalf("the server over %s does not come up", form)
	return 0, nil
}

// The reference server over both forms of HTTP; it is killed and started
// again, and then asked as if nothing had been.
func TestRealServersOverHTTP(t *testing.T) {
	t.Parallel()
	for form, transport := range map[string]Transport{"streamableHttp": HTTP, "sse": SSE} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			port, kill := everythingOver(t, form, 0)
			h := newHouse(t, SystemClock())
			spec := Spec{
				Key: Key{Server: "everything", Node: "node-1"}, Name: "everything", Transport: transport, AllowLoopback: true,
				URL: fmt.Sprintf("http://127.0.0.1:%d/%s", port, map[Transport]string{HTTP: "mcp", SSE: "sse"}[transport]),
			}
			h.pool.Apply([]Spec{spec})
			r := h.running(spec.Name)
			if r.Era != "2025-11-25" || len(r.Catalogue.Tools) < 10 {
				t.Errorf("got %+v", r)
			}
			answersAsItShould(t, h, spec, r.Catalogue)
			reportsProgress(t, h, spec)
			asksAndIsDeclined(t, h, spec)
			kill()
			everythingOver(t, form, port)
			eventually(t, "it answers again", func() bool {
				h.pool.Apply([]Spec{spec}) // whoever is down is tried at once
				res, err := h.pool.Call(t.Context(), spec.Key, "echo", json.RawMessage(`{"message":"again"}`))
				return err == nil && strings.Contains(string(res.Content), "again")
			})
		})
	}
}

func reportsProgress(t *testing.T, h *house, spec Spec) {
	t.Helper()
	var told atomic.Int64
	_, err := h.pool.Call(t.Context(), spec.Key, "trigger-long-running-operation", json.RawMessage(`{"duration":0.2,"steps":4}`),
		OnProgress(func(p Progress) {
			if p.Total == 4 {
				told.Add(1)
			}
		}))
	if err != nil || told.Load() == 0 {
		t.Errorf("got %d notices of progress, %v", told.Load(), err)
	}
}

// The other reference servers, with what they need to work on.
func TestOtherRealServers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "note.txt"), []byte("a note"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args       []string
		env        map[string]string
		roots      []string
		tools      int
		call, with string
		says       string
	}{
		"filesystem":              {[]string{dir}, nil, nil, 10, "read_text_file", `{"path":"` + dir + `/note.txt"}`, "a note"},
		"filesystem, given roots": {nil, nil, []string{dir}, 10, "list_allowed_directories", `{}`, filepath.Base(dir)},
		"memory": {nil, map[string]string{"MEMORY_FILE_PATH": filepath.Join(dir, "memory.jsonl")}, nil, 9,
			"create_entities", `{"entities":[{"name":"Ana","entityType":"person","observations":["kind"]}]}`, "Ana"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kind, _, _ := strings.Cut(name, ",")
			script := strings.Replace(everything(t), "server-everything", "server-"+kind, 1)
			h := newHouse(t, SystemClock())
			spec := realServer("node", append([]string{script}, c.args...)...)
			spec.Key.Server, spec.Name, spec.Roots = kind, kind, c.roots
			spec.Env = WithEnv(spec.Env, c.env)
			h.pool.Apply([]Spec{spec})
			if r := h.running(kind); len(r.Catalogue.Tools) < c.tools {
				t.Errorf("got %d tools", len(r.Catalogue.Tools))
			}
			eventually(t, "it has what it works on", func() bool {
				res, err := h.pool.Call(t.Context(), spec.Key, c.call, json.RawMessage(c.with))
				return err == nil && !res.IsError && strings.Contains(string(res.Content), c.says)
			})
			h.pool.Apply(nil)
			h.until(0, kind, func(r Report) bool { return r.State == Stopped })
			h.nothingLeft()
		})
	}
}

// A server of the newer era over HTTP: no session, and its notices come by a
// stream of their own.
func TestSessionlessEraOverHTTP(t *testing.T) {
	t.Parallel()
	s := mcp.NewServer(&mcp.Implementation{Name: "modern", Version: "2"}, nil)
	add := func(name string) {
		mcp.AddTool(s, &mcp.Tool{Name: name, Description: "d"}, func(ctx context.Context, r *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "from " + name}}}, nil, nil
		})
	}
	add("first")
	site := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(site.Close)
	h := newHouse(t, SystemClock())
	spec := Spec{Key: Key{Server: "modern", Node: "node-1"}, Name: "modern", Transport: HTTP, URL: site.URL, AllowLoopback: true}
	h.pool.Apply([]Spec{spec})
	if r := h.running("modern"); r.Era != "2026-07-28" || len(r.Catalogue.Tools) != 1 {
		t.Errorf("got %+v", r)
	}
	at := h.now()
	add("second")
	if r := h.until(at, "modern", isRunning); len(r.Catalogue.Tools) != 2 {
		t.Errorf("got %+v", r.Catalogue.Tools)
	}
	res, err := h.pool.Call(t.Context(), spec.Key, "second", nil)
	if err != nil || !strings.Contains(string(res.Content), "from second") {
		t.Errorf("got %+v %v", res, err)
	}
	h.pool.Apply(nil)
	h.until(0, "modern", func(r Report) bool { return r.State == Stopped })
}
