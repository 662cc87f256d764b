package work

import (
	"net/http"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
	"crewlet/handlers/web"
	"crewlet/views/layout"
	"crewlet/views/ui"

	view "crewlet/views/work"
)

// New draws the form that files an item; the address may fill in fields.
func (h *Handlers) New(w http.ResponseWriter, r *http.Request) error {
	if err := web.Offered(h.Tracker.CreateItem.Access, web.Call(r).By); err != nil {
		return err
	}
	typed := map[string]string{}
	for _, name := range []string{"project", "title", "parent", "assignee"} {
		if value := r.URL.Query().Get(name); value != "" {
			typed[name] = value
		}
	}
	return h.draw(w, r, http.StatusOK, view.Form{Key: tool.NewKey(), Typed: typed}, nil)
}

func (h *Handlers) draw(w http.ResponseWriter, r *http.Request, status int, form view.Form, same *view.Linked) error {
	call := web.Call(r)
	out, err := tool.Do(r.Context(), h.Run, h.Tracker.ListProjects, call, tracker.ListProjects{})
	if err != nil {
		return err
	}
	page := view.NewPage{
		Shell: web.Shell(r, "New item", "work", call.Landed.Position), Form: form, Lists: lists(), People: peopleOf(out.Everybody), Same: same,
		MayDeclare: mayDeclare(call),
	}
	page.Shell.Crumbs = []layout.Crumb{{Label: "All work", Href: view.ListAddress}}
	if form.Typed["project"] == "" && out.Own != "" {
		page.Form.Typed["project"] = out.Own
	}
	for _, p := range out.Projects {
		page.Projects = append(page.Projects, ui.Option{Value: p.Key, Label: p.Key + " · " + p.Name})
	}
	return web.Render(w, r, status, view.NewShow(page))
}

// Create files an item.
func (h *Handlers) Create(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[tracker.CreateItem](r)
	var out tracker.Item
	if err == nil {
		out, err = tool.Do(r.Context(), h.Run, h.Tracker.CreateItem, call, in)
	}
	if err == nil {
		return web.SeeLanded(w, r, view.ItemAddress(out.Key), call.Key)
	}
	no := refusal.Of(err)
	if !no.Redraws() || no.Class == refusal.Internal {
		return err
	}
	var same *view.Linked
	if it, ok := no.Details["item"].(tracker.Item); ok {
		same = &view.Linked{Key: it.Key, Title: it.Title, Status: it.Status}
	}
	return h.draw(w, r, no.Status(), stateOf(r.PostForm, call, "new", no), same)
}
