package work

import (
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
	"crewlet/handlers/web"
	"crewlet/views/ui"

	view "crewlet/views/work"
)

// List draws all work under the filters of the address; asked for JSON, it
// answers the same items.
func (h *Handlers) List(w http.ResponseWriter, r *http.Request) error {
	return h.list(w, r, view.ListAddress, "")
}

// filters are the values of an address that say which items, without what is
// for the page alone.
func filters(r *http.Request) url.Values {
	values := url.Values{}
	for name, sent := range r.URL.Query() {
		switch name {
		case "part", "landed", "min_position":
			continue
		}
		if len(sent) > 0 && strings.TrimSpace(sent[0]) != "" {
			values[name] = sent[:1]
		}
	}
	return values
}

// asked reads which items an address asks for.
func asked(values url.Values) (tracker.ListItems, error) {
	raw, err := web.Arguments(values, reflect.TypeFor[tracker.ListItems]())
	if err != nil {
		return tracker.ListItems{}, err
	}
	return tool.Decode[tracker.ListItems](raw)
}

func (h *Handlers) list(w http.ResponseWriter, r *http.Request, action, project string) error {
	call, out, values := web.Call(r), tracker.ItemList{}, filters(r)
	in, err := asked(values)
	in.Describe = !web.WantsJSON(r)
	if project != "" {
		in.Container = "project:" + project
	}
	if err == nil {
		out, err = tool.Do(r.Context(), h.Run, h.Tracker.ListItems, call, in)
	}
	if err == nil && web.WantsJSON(r) {
		return web.Answer(w, r, http.StatusOK, out)
	}
	no := refusal.Of(err)
	if err != nil && (no.Class != refusal.Invalid || web.WantsJSON(r)) {
		return err
	}
	filter, status := view.Filter{Action: action, Values: values, Lists: lists()}, http.StatusOK
	if no != nil {
		filter.Words, filter.Says, status = no.Fields, no.Says, no.Status()
		// What stands around the list is there whatever is asked of it.
		if out, err = h.around(r, call, in.Container, project); err != nil {
			return err
		}
	}
	filter.People = peopleOf(out.Everybody)
	list := view.List{Rows: itemsOf(out.Items, call.Now), Next: out.Next, Filter: filter, AsOf: call.Landed.Position, Topics: []string{"work"},
		May: web.May(h.Tracker.CreateItem.Access, call.By)}
	if project != "" {
		list.Topics = []string{"work:" + project}
	}
	if web.Partial(r) {
		return web.Render(w, r, status, view.ItemsPart(list))
	}
	return h.page(w, r, status, call, list, out.Project)
}

// around is a list without items, for the people and the project beside it.
func (h *Handlers) around(r *http.Request, call *tool.Call, container, project string) (tracker.ItemList, error) {
	in := tracker.ListItems{Limit: 1, Describe: true}
	if project != "" {
		in.Container = container
	}
	out, err := tool.Do(r.Context(), h.Run, h.Tracker.ListItems, call, in)
	if project != "" && (out.Project == nil || refusal.Is(err, refusal.Invalid)) {
		return out, refusal.NotFound.Say("There is no project %s.", project)
	}
	out.Items, out.Next = nil, ""
	return out, err
}

func (h *Handlers) page(w http.ResponseWriter, r *http.Request, status int, call *tool.Call, list view.List, project *tracker.Project) error {
	page := view.ListPage{
		Shell: web.Shell(r, "All work", "work", call.Landed.Position), Filter: list.Filter, List: list, May: list.May,
	}
	if project != nil {
		page.Shell = web.Shell(r, project.Name, "projects", call.Landed.Position)
		page.Project = projectOf(*project, call)
	}
	page.Shell.Wide = true
	return web.Render(w, r, status, view.ListShow(page))
}

func projectOf(p tracker.Project, call *tool.Call) *view.Project {
	out := &view.Project{
		Key: p.Key, Name: p.Name, Purpose: p.Purpose, Unit: p.Unit, Lead: personOf(p.Lead), Default: personOf(p.DefaultAssignee),
		Open: p.Open, Done: p.Done, Closed: p.Closed, Archived: p.Archived, ChangedBy: p.ChangedBy, Changed: ui.TimeView{Now: call.Now},
	}
	if p.ChangedAt != nil {
		out.Changed.At = *p.ChangedAt
	}
	return out
}

// Project draws one project and its items.
func (h *Handlers) Project(w http.ResponseWriter, r *http.Request) error {
	key := strings.ToUpper(r.PathValue("key"))
	return h.list(w, r, view.ProjectAddress(key), key)
}

// Projects lists the projects.
func (h *Handlers) Projects(w http.ResponseWriter, r *http.Request) error {
	call := web.Call(r)
	out, err := tool.Do(r.Context(), h.Run, h.Tracker.ListProjects, call, tracker.ListProjects{})
	if err != nil {
		return err
	}
	if web.WantsJSON(r) {
		return web.Answer(w, r, http.StatusOK, out)
	}
	page := view.ProjectsPage{Shell: web.Shell(r, "Projects", "projects", call.Landed.Position), Active: out.Census.Active, Archived: out.Census.Archived}
	page.Shell.Wide, page.Shell.Topics, page.MayDeclare = true, []string{"work"}, mayDeclare(call)
	for _, p := range out.Projects {
		page.Projects = append(page.Projects, *projectOf(p, call))
	}
	return web.Render(w, r, http.StatusOK, view.ProjectsShow(page))
}
