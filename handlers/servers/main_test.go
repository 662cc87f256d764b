package servers

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"crewlet/db"
	"crewlet/db/dbtest"
	"crewlet/engine/changes"
	"crewlet/engine/company"
	"crewlet/engine/secrets"
	"crewlet/engine/servers"
	"crewlet/engine/tool"
	"crewlet/handlers/signin/signintest"
	"crewlet/handlers/web"
	"crewlet/mcp/client"
)

// TestMain lets the test binary also be the guard and the server that a form
// adds.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case "guard":
			if err := client.Guard(os.Args[2], os.Stdin); err != nil {
				os.Exit(1)
			}
			os.Exit(0)
		case "tools":
			serveTools(os.Args[2:])
			os.Exit(0)
		}
	}
	dbtest.Main(m)
}

func serveTools(names []string) {
	if names[0] == "grumble" { // it ends with words that read other than they are
		fmt.Fprintln(os.Stderr, "grumble: "+turned)
		return
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "tiny", Version: "1"}, nil)
	destructive, outside := new(true), new(false)
	for _, name := range names {
		hints := &mcp.ToolAnnotations{DestructiveHint: destructive, OpenWorldHint: outside}
		if name == "look" {
			hints = &mcp.ToolAnnotations{ReadOnlyHint: true}
		}
		says := "It does " + name + "."
		switch name {
		case "odd": // it turns the direction of writing, and would clear a terminal
			says += "\u202egninaelc rof\x1b[2J"
		case "notes":
			s.AddResource(&mcp.Resource{URI: "note:1", Name: "note"}, nil)
		}
		mcp.AddTool(s, &mcp.Tool{Name: name, Description: says, Annotations: hints},
			func(_ context.Context, _ *mcp.CallToolRequest, in struct {
				Text string `json:"text"`
			},
			) (*mcp.CallToolResult, any, error) {
				return answer(name, in.Text), nil, nil
			})
	}
	if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// answer is what a tool of that name says.
func answer(name, text string) *mcp.CallToolResult {
	switch name {
	case "fail":
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text + " is not for me"}}}
	case "show":
		return &mcp.CallToolResult{Content: []mcp.Content{
			&mcp.ImageContent{MIMEType: "image/png", Data: []byte("no picture, but bytes")},
			&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///srv/note.bin", MIMEType: "application/octet-stream", Blob: []byte{1, 2, 3}}},
		}}
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: name + " says " + text}}}
}

var marks atomic.Int64

// open serves the area over a company without servers, on a node that runs
// what is added.
func open(t *testing.T) *signintest.Bench {
	t.Helper()
	return opened(t, "name: Acme\n")
}

// opened serves the area over a company that declares something.
func opened(t *testing.T, document string) *signintest.Bench {
	t.Helper()
	var h *Handlers
	b := signintest.New(t, func(mux *http.ServeMux, door *web.Door, b *signintest.Bench) {
		h = wire(t, b)
		for pattern, page := range map[string]web.Handler{
			"GET /settings/tools": h.Tools, "GET /settings/tools/new": h.New, "POST /settings/tools/new": h.Add,
			"POST /settings/tools/new/try": h.TryNew, "GET /settings/tools/paste": h.PasteForm, "POST /settings/tools/paste": h.Paste,
			"POST /settings/tools/reload": h.Reload, "GET /settings/tools/servers/{name}": h.Show,
			"GET /settings/tools/servers/{name}/edit": h.Edit, "POST /settings/tools/servers/{name}/edit": h.Save,
			"POST /settings/tools/servers/{name}/try": h.TryEdited, "GET /settings/tools/servers/{name}/rename": h.RenameForm,
			"POST /settings/tools/servers/{name}/rename": h.Rename, "POST /settings/tools/servers/{name}/restart": h.Restart,
			"POST /settings/tools/servers/{name}/check": h.Check, "POST /settings/tools/servers/{name}/switch": h.Switch,
			"POST /settings/tools/servers/{name}/remove": h.Remove, "GET /settings/tools/tool/{name}": h.Tool,
			"POST /settings/tools/tool/{name}": h.Call,
		} {
			mux.Handle(pattern, door.Page(page))
		}
		mux.Handle("GET /palette", door.API(h.Palette))
		mux.Handle("GET /tools", door.API(h.ListTools))
		mux.Handle("GET /mcp-servers", door.API(h.ListServers))
	})
	if done, err := h.Company.Import(t.Context(), b.Run, []byte(document), "Begin"); err != nil || !done {
		t.Fatalf("import: %v %v", done, err)
	}
	return b
}

func wire(t *testing.T, b *signintest.Bench) *Handlers {
	t.Helper()
	ring, _, err := secrets.NewKeyring("test")
	if err != nil {
		t.Fatal(err)
	}
	var keep *secrets.Secrets
	c := company.New(company.Sources{
		Stored:        func(ctx context.Context, tx *db.Tx) ([]string, error) { return keep.Names(ctx, tx) },
		InEnvironment: func(string) bool { return false },
	})
	keep = secrets.New(ring, c.ReferencesIn)
	log := slog.New(slog.DiscardHandler)
	feed := changes.NewFeed(b.DB, log, 0)
	mark := fmt.Sprintf("pages-%d.%d", os.Getpid(), marks.Add(1))
	spawner, err := client.NewSpawner(client.SpawnerOptions{Mark: mark, Guard: []string{os.Args[0], "guard", mark}, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	s := servers.New(servers.Options{
		DB: b.DB, Run: b.Run, Feed: feed, Company: c, Secrets: keep, Spawner: spawner, Environ: os.Environ(), Log: log,
		Node:    servers.Self{ID: "node-1", Name: "node-1", Version: "test"},
		Builtin: func() []tool.Tool { return keep.Tools() },
	})
	ctx, stop := context.WithCancel(context.Background())
	var fed sync.WaitGroup
	fed.Go(func() { _ = feed.Run(ctx) })
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		spawner.Close()
		stop()
		fed.Wait()
	})
	return &Handlers{Run: b.Run, Servers: s, Company: c, Secrets: keep}
}

// eventually asks for a page until it fits.
func eventually(t *testing.T, ask func() *signintest.Page, fits func(*signintest.Page) bool) *signintest.Page {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		p := ask()
		if fits(p) {
			return p
		}
		if time.Now().After(deadline) {
			t.Fatalf("it never came to this; the page reads %s", p.Text())
		}
		<-time.After(20 * time.Millisecond)
	}
}
