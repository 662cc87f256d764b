package work

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
	"crewlet/handlers/web"
	"crewlet/views/layout"
	"crewlet/views/ui"

	view "crewlet/views/work"
)

// Mine draws one's own work, or the queue of somebody whose it is to order.
func (h *Handlers) Mine(w http.ResponseWriter, r *http.Request) error {
	whose := r.URL.Query().Get("person")
	if whose == "" {
		return h.mine(w, r, http.StatusOK, returned{}, view.MinePage{})
	}
	err := h.theirs(w, r, http.StatusOK, whose, returned{})
	if no := refusal.Of(err); err != nil && no.Fields["whose"] != "" && !web.Partial(r) && !web.WantsJSON(r) {
		return h.mine(w, r, no.Status(), returned{}, view.MinePage{Whose: whose, Wrong: no.Fields["whose"]})
	}
	return err
}

// mine draws one's own work.
func (h *Handlers) mine(w http.ResponseWriter, r *http.Request, status int, back returned, page view.MinePage) error {
	call := web.Call(r)
	out, err := tool.Do(r.Context(), h.Run, h.Tracker.MyWork, call, tracker.MyWork{Limit: 100, Describe: true})
	if err != nil {
		return err
	}
	if web.WantsJSON(r) {
		return web.Answer(w, r, status, out)
	}
	m := view.Mine{Queue: h.queue(out.Priorities, out.OrderedBy, call, back), AsOf: out.AsOf}
	for _, a := range out.Asked {
		m.Asked = append(m.Asked, h.askOf(a, call, nil, view.ItemAddress(a.Item)+"/asks/"+a.ID))
	}
	m.Parts = []view.Part{
		{ID: "assigned", Title: "Assigned to you", Rows: offered(out.Assigned, out.Priorities, m.Queue, call)},
		{ID: "workable", Title: "Newly workable", Lede: "All it waited on is finished.", Rows: itemsOf(out.Workable, call.Now)},
		{ID: "collaborating", Title: "You work on it too", Rows: itemsOf(out.Collaborating, call.Now)},
		{ID: "watched", Title: "Watched, and moved", Rows: itemsOf(out.Watched, call.Now)},
	}
	page.Shell, page.Mine, page.Others = web.Shell(r, "My work", "mine", call.Landed.Position), m, peopleOf(out.Others)
	return h.drawMine(w, r, status, call, page)
}

// theirs draws the queue of somebody else. One's own is on one's own page.
func (h *Handlers) theirs(w http.ResponseWriter, r *http.Request, status int, whose string, back returned) error {
	call := web.Call(r)
	out, err := tool.Do(r.Context(), h.Run, h.Tracker.GetPriorities, call, tracker.GetPriorities{Whose: whose})
	if err != nil {
		return err
	}
	if web.WantsJSON(r) {
		return web.Answer(w, r, status, out)
	}
	if out.Own && status == http.StatusOK {
		return web.See(w, r, view.MineAddress)
	}
	m := view.Mine{Queue: h.queue(out.Priorities, out.OrderedBy, call, back), AsOf: out.AsOf}
	m.Queue.Whose = personOf(out.Whose)
	m.Parts = []view.Part{{ID: "assigned", Title: "Assigned to " + m.Queue.Whose.Name + ", not in the queue", Rows: offered(out.Assigned, out.Priorities, m.Queue, call)}}
	page := view.MinePage{Shell: web.Shell(r, "Work of "+m.Queue.Whose.Name, "mine", call.Landed.Position), Mine: m, Others: peopleOf(out.Others)}
	page.Shell.Crumbs = []layout.Crumb{{Label: "My work", Href: view.MineAddress}}
	return h.drawMine(w, r, status, call, page)
}

func (h *Handlers) drawMine(w http.ResponseWriter, r *http.Request, status int, call *tool.Call, page view.MinePage) error {
	if web.Partial(r) {
		return web.Render(w, r, status, view.MinePart(page.Mine))
	}
	page.Shell.Wide, page.May = true, web.May(h.Tracker.CreateItem.Access, call.By)
	return web.Render(w, r, status, view.MineShow(page))
}

// queue is somebody's order as it is drawn.
func (h *Handlers) queue(list []tracker.Queued, by *tracker.Person, call *tool.Call, back returned) view.Queue {
	q := view.Queue{By: personOf(by), May: web.May(h.Tracker.PlacePriority.Access, call.By), Keys: tool.NewKey, Form: back.state}
	for _, one := range list {
		q.Rows = append(q.Rows, itemOf(one.Item, call.Now))
		q.Since = ui.TimeView{At: one.Since, Now: call.Now}
	}
	return q
}

// offered are items of which those that are not in the queue can be put into it.
func offered(list []tracker.Item, queue []tracker.Queued, q view.Queue, call *tool.Call) []view.Item {
	rows := itemsOf(list, call.Now)
	whose, label := "", "Put in your queue"
	if q.Whose != nil {
		whose, label = q.Whose.Handle, "Put in the queue"
	}
	for i, it := range rows {
		if q.May && !slices.ContainsFunc(queue, func(one tracker.Queued) bool { return one.Key == it.Key }) {
			rows[i].Enqueue = &view.Enqueue{Item: it.Key, Whose: whose, Label: label, Key: tool.NewKey()}
		}
	}
	return rows
}

// Place puts an item into a queue, moves it there, or takes it out. A press is
// answered with the work as it is then, where a script asks.
func (h *Handlers) Place(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[tracker.PlacePriority](r)
	var out tracker.Queue
	if err == nil {
		out, err = tool.Do(r.Context(), h.Run, h.Tracker.PlacePriority, call, in)
	}
	if err == nil && !web.Partial(r) {
		return web.SeeLanded(w, r, view.QueueAddress(in.Whose), call.Key)
	}
	back, status := returned{}, http.StatusOK
	if err != nil {
		no := refusal.Of(err)
		if !no.Redraws() || no.Class == refusal.Internal || no.Fields["whose"] != "" {
			return err
		}
		form := r.PostForm.Get("_form")
		back, status = returned{form: form, state: stateOf(r.PostForm, call, form, no)}, no.Status()
		if form != "add" { // a row has no place for a sentence beside a field
			back.state.Wrong, back.state.Typed = nil, nil
		}
	} else if told, odd := json.Marshal(map[string]string{"landed": call.Key, "say": placed(in, out)}); odd == nil {
		w.Header().Set("HX-Trigger", string(told))
	}
	if in.Whose != "" {
		return h.theirs(w, r, status, in.Whose, back)
	}
	return h.mine(w, r, status, back, view.MinePage{})
}

// placed says where an item is now.
func placed(in tracker.PlacePriority, out tracker.Queue) string {
	at := slices.Index(out.Items, in.Item)
	if at < 0 {
		return in.Item + " is not in the queue any more."
	}
	return fmt.Sprintf("%s is number %d of %d.", in.Item, at+1, len(out.Items))
}
