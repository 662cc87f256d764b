package servers

import (
	"net/http"
	"net/url"
	"strings"

	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/servers"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	"crewlet/views/ui"

	view "crewlet/views/servers"
)

// Restart starts a server anew on every node.
func (h *Handlers) Restart(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[servers.RestartServer](r)
	if err != nil {
		return err
	}
	in.Name = r.PathValue("name")
	if _, err := tool.Do(r.Context(), h.Run, h.Servers.Restart, call, in); err != nil {
		return err
	}
	return web.See(w, r, at(in.Name, "restarted"))
}

// Check proves a server by a real request, and shows what came back.
func (h *Handlers) Check(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[servers.CheckServer](r)
	if err != nil {
		return err
	}
	in.Name = r.PathValue("name")
	out, err := tool.Do(r.Context(), h.Run, h.Servers.Check, call, in)
	if err != nil {
		return err
	}
	page, err := h.show(r)
	if err != nil {
		return err
	}
	page.Checked = &view.Checked{OK: out.OK, Says: seen(out.Says), Took: took(out.TookMS), Node: out.Node, At: out.At, Tools: out.Tools}
	for _, n := range []struct {
		label string
		names []string
	}{{"New", out.Added}, {"Gone", out.Removed}, {"Changed", out.Changed}} {
		if len(n.names) > 0 {
			page.Checked.News = append(page.Checked.News, ui.Fact{Label: n.label, Text: seen(strings.Join(n.names, ", ")), Mono: true})
		}
	}
	return web.Render(w, r, http.StatusOK, view.ShowPage(page))
}

// Switch enables a server, or disables it and keeps all that names it.
func (h *Handlers) Switch(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[company.SwitchServer](r)
	if err != nil {
		return err
	}
	in.Name = r.PathValue("name")
	if _, err := tool.Do(r.Context(), h.Run, h.Company.SwitchServer, call, in); err != nil {
		return err
	}
	if in.Enabled {
		return web.See(w, r, at(in.Name, "enabled"))
	}
	return web.See(w, r, at(in.Name, "disabled"))
}

// Remove takes a server out of the document. While something names it, that is
// listed first and taken out with it when confirmed.
func (h *Handlers) Remove(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[company.RemoveServer](r)
	if err != nil {
		return err
	}
	in.Name = r.PathValue("name")
	if in.Summary == "" {
		in.Summary = "Remove server " + in.Name
	}
	_, err = tool.Do(r.Context(), h.Run, h.Company.RemoveServer, call, in)
	if err == nil {
		return web.See(w, r, view.Address+"?removed="+url.QueryEscape(in.Name))
	}
	no := refusal.Of(err)
	if no.Class != refusal.StillReferenced {
		return err
	}
	page := view.Removal{Shell: web.Shell(r, "Remove", "tools", 0), Key: tool.NewKey(), Name: in.Name}
	page.References, _ = no.Details["references"].([]string)
	page.Says = in.Name + " is still named elsewhere in the company document. Disable it instead, and all of that stays as it is."
	page.Shell.Crumbs = crumbs(in.Name)
	return web.Render(w, r, no.Status(), view.RemovalPage(page))
}
