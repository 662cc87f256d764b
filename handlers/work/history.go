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
	"crewlet/views/layout"

	view "crewlet/views/work"
)

// past is whose history a page shows, and where it is.
type past struct {
	action  string
	item    string // key; empty but for an item's
	project string // key; empty but for a project's
}

// WorkHistory draws what happened to all work.
func (h *Handlers) WorkHistory(w http.ResponseWriter, r *http.Request) error {
	return h.history(w, r, past{action: view.HistoryAddress})
}

// ProjectHistory draws what happened in a project.
func (h *Handlers) ProjectHistory(w http.ResponseWriter, r *http.Request) error {
	key := strings.ToUpper(r.PathValue("key"))
	return h.history(w, r, past{action: view.ProjectAddress(key) + "/history", project: key})
}

// History draws what happened to an item, further back than its own page does.
func (h *Handlers) History(w http.ResponseWriter, r *http.Request) error {
	key := strings.ToUpper(r.PathValue("key"))
	return h.history(w, r, past{action: view.ItemAddress(key) + "/history", item: key})
}

// of reads what an address asks of a history.
func (p past) of(values url.Values) (tracker.TaskActivity, error) {
	in := tracker.TaskActivity{}
	raw, err := web.Arguments(values, reflect.TypeFor[tracker.TaskActivity]())
	if err == nil {
		in, err = tool.Decode[tracker.TaskActivity](raw)
	}
	in.Describe = true
	if p.item != "" {
		in.Item = p.item
	}
	if p.project != "" {
		in.Project = p.project
	}
	return in, err
}

func (h *Handlers) history(w http.ResponseWriter, r *http.Request, p past) error {
	call, out, values := web.Call(r), tracker.Activity{}, filters(r)
	in, err := p.of(values)
	if err == nil {
		out, err = tool.Do(r.Context(), h.Run, h.Tracker.TaskActivity, call, in)
	}
	if err == nil && web.WantsJSON(r) {
		return web.Answer(w, r, http.StatusOK, out)
	}
	no := refusal.Of(err)
	if err != nil && (no.Class != refusal.Invalid || web.WantsJSON(r)) {
		return p.nowhere(err)
	}
	filter, status := view.HistoryFilter{Filter: view.Filter{Action: p.action, Values: values}}, http.StatusOK
	if no != nil {
		filter.Words, filter.Says, status = no.Fields, no.Says, no.Status()
		// What stands around the list is there whatever is asked of it.
		if out, err = h.aroundHistory(r, call, p); err != nil {
			return p.nowhere(err)
		}
	}
	return h.drawHistory(w, r, status, call, p, filter, out)
}

func (h *Handlers) drawHistory(w http.ResponseWriter, r *http.Request, status int, call *tool.Call, p past, filter view.HistoryFilter, out tracker.Activity) error {
	filter.People = peopleOf(out.Around.Everybody)
	if p.item == "" && p.project == "" {
		filter.Projects = out.Around.Projects
	}
	list := view.HistoryList{Rows: h.happened(out, call), Next: out.Next, Filter: filter, AsOf: call.Landed.Position, Topics: p.topics()}
	if web.Partial(r) {
		return web.Render(w, r, status, view.HistoryPart(list))
	}
	page := view.HistoryPage{Shell: p.shell(r, out.Around.Project, call), Item: p.item, Filter: filter, List: list}
	if p.project != "" {
		page.Project = projectOf(*out.Around.Project, call)
	}
	return web.Render(w, r, status, view.HistoryShow(page))
}

// aroundHistory is a history without rows, for what stands around it.
func (h *Handlers) aroundHistory(r *http.Request, call *tool.Call, p past) (tracker.Activity, error) {
	in, err := p.of(nil)
	if err != nil {
		return tracker.Activity{}, err
	}
	in.Limit = 1
	out, err := tool.Do(r.Context(), h.Run, h.Tracker.TaskActivity, call, in)
	out.Events, out.Next = nil, ""
	return out, err
}

// nowhere is a refusal of whose history it is: an argument there, the address
// here.
func (p past) nowhere(err error) error {
	no := refusal.Of(err)
	if p.item != "" && no.Fields["item"] != "" || p.project != "" && no.Fields["project"] != "" {
		return refusal.NotFound.Say("%s", no.Says)
	}
	return err
}

func (p past) topics() []string {
	switch {
	case p.item != "":
		return []string{"item:" + p.item}
	case p.project != "":
		return []string{"work:" + p.project}
	default:
		return []string{"work"}
	}
}

func (p past) shell(r *http.Request, project *tracker.Project, call *tool.Call) layout.Shell {
	title, here := "History", "history"
	switch {
	case p.item != "":
		here = "work"
	case project != nil:
		title, here = "History of "+project.Name, "projects"
	}
	s := web.Shell(r, title, here, call.Landed.Position)
	s.Wide = true
	if p.item != "" {
		s.Crumbs = crumbsTo(p.item)
	}
	return s
}

// happened are changes as sentences.
func (h *Handlers) happened(out tracker.Activity, call *tool.Call) []view.Happened {
	t := teller{names: map[string]string{}, call: call}
	for _, p := range out.Around.Everybody {
		t.names[p.Handle] = p.Name
	}
	rows := make([]view.Happened, 0, len(out.Events))
	for _, e := range out.Events {
		rows = append(rows, t.told(e))
	}
	return rows
}
