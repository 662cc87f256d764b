// Package door serves the catalogue over MCP's streamable HTTP. It translates:
// who asks is found out before it, what they may do is decided by the runner.
//
// The protocol is mcp-go's. Around it stands what the library leaves to its
// user: every request has a session of its own, so that no credential reaches
// another's calls; streams end with their credential and with the node; and
// every failure of a tool is a result.
package door

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"crewlet/engine/tool"
)

// MaxBody is the largest message in bytes.
const MaxBody = 2 << 20

// beat is how often an idle stream of the older protocol is written to, so
// that nothing on the way takes it for dead.
const beat = 25 * time.Second

// Options is what a door is handed.
type Options struct {
	Name         string // of the server, as clients show it
	Title        string
	Version      string
	Instructions string // for the caller's model, once per conversation

	Run   *tool.Runner
	Tools []tool.Tool
	// Offers reports whether a tool is there now, for whomever; nil where all
	// are. One that is not is listed to nobody, and not found.
	Offers func(name string) bool
	// Origins are those whose pages may call: scheme://host[:port].
	Origins []string
	// Call begins a call for a request that somebody known sent.
	Call func(r *http.Request) *tool.Call
	// Valid asks again whether the request's credential holds.
	Valid func(r *http.Request) error
	// Hold is a context that ends with the request, with its credential, or
	// when the node stops.
	Hold func(r *http.Request) (context.Context, context.CancelFunc)
	Log  *slog.Logger
	// More is what the library is told beside, for a door that offers more
	// than the catalogue.
	More []server.ServerOption
}

// Door is one surface of tools, prompts and resources.
type Door struct {
	o       Options
	mcp     *server.MCPServer
	http    *server.StreamableHTTPServer
	lists   *server.StreamableHTTPServer // answers tools/list alone; see listed
	surface surface
}

// New opens a door.
func New(o Options) *Door {
	if o.Offers == nil {
		o.Offers = func(string) bool { return true }
	}
	d := &Door{o: o, surface: surface{offers: o.Offers}}
	hooks, lists := &server.Hooks{}, &server.Hooks{}
	lists.AddAfterListTools(d.listed)
	hooks.AddAfterListPrompts(d.listedPrompts)
	hooks.AddAfterListResourceTemplates(d.listedTemplates)
	d.mcp = server.NewMCPServer(o.Name, o.Version, append([]server.ServerOption{
		server.WithTitle(o.Title), server.WithInstructions(o.Instructions), server.WithHooks(hooks),
		server.WithToolCapabilities(true), server.WithPromptCapabilities(true), server.WithResourceCapabilities(false, true),
		server.WithToolHandlerMiddleware(settled),
	}, o.More...)...)
	d.http = server.NewStreamableHTTPServer(d.mcp,
		server.WithStateLess(true), server.WithHeartbeatInterval(beat), server.WithStreamableHTTPLogger(o.Log),
	)
	d.lists = server.NewStreamableHTTPServer(
		server.NewMCPServer(o.Name, o.Version, server.WithToolCapabilities(true), server.WithHooks(lists)),
		server.WithStateLess(true), server.WithStreamableHTTPLogger(o.Log),
	)
	d.Set(o.Tools)
	return d
}

// MCP is the library's server, for what is offered beside the catalogue. Tools
// added there can be called, and are not listed.
func (d *Door) MCP() *server.MCPServer { return d.mcp }

// Set makes these the tools of the surface; held streams are told. A tool
// whose schema the library cannot carry is left out, and logged.
func (d *Door) Set(tools []tool.Tool) {
	var registered []server.ServerTool
	entries := map[string]entry{}
	for _, t := range tools {
		e, err := entryOf(t)
		if err != nil {
			d.o.Log.Error("tool_not_offered", "tool", t.Name, "error", err)
			continue
		}
		entries[t.Name] = e
		registered = append(registered, server.ServerTool{Tool: e.listed, Handler: d.handler(e)})
	}
	d.surface.set(entries)
	d.offerResources(entries)
	d.offerPrompts(entries)
	d.mcp.SetTools(registered...)
}
