// Package servers serves Settings › MCP Tools for people: the list, a page for
// each server and each tool, the forms that declare servers. For programs it
// serves /tools and /mcp-servers.
package servers

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"crewlet/engine/company"
	"crewlet/engine/secrets"
	"crewlet/engine/servers"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	"crewlet/views/layout"

	view "crewlet/views/servers"
)

// Handlers serve the servers and their tools.
type Handlers struct {
	// Found is what the palette finds besides servers and tools; nil for nothing.
	Found func(*http.Request) ([]layout.Found, error)

	Run     *tool.Runner
	Servers *servers.Servers
	Company *company.Company // declares what is added
	Secrets *secrets.Secrets // keeps the values of what is pasted

	written written
}

// Tools draws servers and catalogue; ?text=, ?source=, ?hint= and ?delivers= narrow the
// catalogue, and ?part= answers the part of the page that a script asks for.
func (h *Handlers) Tools(w http.ResponseWriter, r *http.Request) error {
	query, part := r.URL.Query(), ""
	if web.Partial(r) {
		part = query.Get("part")
	}
	in := servers.ToolsOverview{
		Text: query.Get("text"), Source: query.Get("source"), Hint: query.Get("hint"),
		Delivers: query.Get("delivers"), ServersOnly: part == "servers",
	}
	in.Reloaded, _ = strconv.ParseInt(query.Get("reloaded"), 10, 64) // nothing is told of what is none
	call := web.Call(r)
	out, err := tool.Do(r.Context(), h.Run, h.Servers.Overview, call, in)
	if err != nil {
		return err
	}
	switch part {
	case "servers":
		return web.Render(w, r, http.StatusOK, view.ServersPart(h.rows(out, in, call)))
	case "catalogue":
		return web.Render(w, r, http.StatusOK, view.CataloguePart(catalogue(out, in, call)))
	case "filter":
		list := catalogue(out, in, call)
		w.Header().Set("HX-Replace-Url", list.Filter.Href())
		return web.Render(w, r, http.StatusOK, view.CatalogueRegion(list))
	}
	page := view.Page{
		Shell:   web.Shell(r, "MCP Tools", "tools", call.Landed.Position),
		Servers: h.rows(out, in, call), Catalogue: catalogue(out, in, call),
	}
	page.Shell.Wide = true
	page.ReloadKey, page.Shell.Done = tool.NewKey(), done(query, out.Servers)
	return web.Render(w, r, http.StatusOK, view.ToolsPage(page))
}

// done says what the write that led here did. An address cannot make it say
// what is not so.
func done(query url.Values, list []servers.Server) string {
	added, removed := query.Get("added"), query.Get("removed")
	is := func(name string) bool {
		return slices.ContainsFunc(list, func(s servers.Server) bool { return s.Configured && s.Name == name })
	}
	switch {
	case added != "" && is(added):
		return "The server " + added + " is saved. Its tools appear below as soon as it has listed them."
	case removed != "" && !is(removed):
		return "The server is removed."
	}
	return ""
}

// ListServers answers GET /mcp-servers.
func (h *Handlers) ListServers(w http.ResponseWriter, r *http.Request) error {
	out, err := tool.Do(r.Context(), h.Run, h.Servers.ListServers, web.Call(r), servers.ListServers{})
	if err != nil {
		return err
	}
	return web.Answer(w, r, http.StatusOK, out)
}
