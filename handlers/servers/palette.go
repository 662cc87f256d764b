package servers

import (
	"net/http"
	"strings"

	"crewlet/engine/servers"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	"crewlet/views/layout"

	view "crewlet/views/servers"
)

// Palette answers what the palette finds besides pages: servers and tools, and
// what others add. A
// page asks for it when its palette is opened.
func (h *Handlers) Palette(w http.ResponseWriter, r *http.Request) error {
	call := web.Call(r)
	out, err := tool.Do(r.Context(), h.Run, h.Servers.Overview, call, servers.ToolsOverview{})
	if err != nil {
		return err
	}
	found := []layout.Found{{Label: "Every tool over HTTP", Note: "for programs", Href: "/api", Icon: "tools", Words: "api openapi for programs every tool over http"}}
	if web.May(h.Servers.GetServer.Access, call.By) {
		for _, s := range out.Servers {
			if s.Configured {
				found = append(found, layout.Found{Label: s.Name, Note: string(s.State), Href: view.ServerAddress(s.Name), Icon: "server", Words: "MCP server " + s.Name})
			}
		}
	}
	for i := range out.Tools {
		t := &out.Tools[i]
		from := strings.TrimPrefix(t.Source, "mcp:")
		if t.Source == servers.Builtin {
			from = "built in"
		}
		if t.Invisible {
			from += ", holds invisible characters"
		}
		found = append(found, layout.Found{Label: t.Name, Note: from, Href: view.ToolAddress(t.Name), Icon: "tools", Words: "tool " + t.Name + " " + seen(t.Title) + " " + from})
	}
	if h.Found != nil {
		more, err := h.Found(r)
		if err != nil {
			return err
		}
		found = append(more, found...)
	}
	return web.Render(w, r, http.StatusOK, layout.PaletteFound(found))
}
