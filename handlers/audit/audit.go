// Package audit serves Settings › Audit: the record of who did what.
package audit

import (
	"net/http"

	"crewlet/engine/history"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/web"

	view "crewlet/views/audit"
)

// Handlers serve the record and the log.
type Handlers struct {
	Run     *tool.Runner
	History *history.History
}

// List draws the record, filtered; asked for JSON, it answers the same rows.
func (h *Handlers) List(w http.ResponseWriter, r *http.Request) error {
	call, out := web.Call(r), history.AuditPage{}
	in, err := wanted(r)
	if err == nil {
		out, err = tool.Do(r.Context(), h.Run, h.History.ListAudit, call, in)
	}
	if err == nil && web.WantsJSON(r) {
		return web.Answer(w, r, http.StatusOK, out)
	}
	no := refusal.Of(err)
	if err != nil && (no.Class != refusal.Invalid || web.WantsJSON(r)) {
		return err
	}
	filter := view.Filter{Actor: in.Actor, Verb: in.Verb, Object: in.Object, Outcome: in.Outcome}
	list := view.List{Filter: filter, Before: in.Before, Next: out.Next, AsOf: call.Landed.Position, Now: call.Now}
	for _, e := range out.Entries {
		list.Rows = append(list.Rows, rowOf(e))
	}
	status := http.StatusOK
	if no != nil {
		filter.Says, filter.Fields, status = no.Says, no.Fields, no.Status()
	}
	if web.Partial(r) {
		return web.Render(w, r, status, view.ListPart(list))
	}
	page := view.Page{Shell: web.Shell(r, "Audit", "audit", call.Landed.Position), Filter: filter, List: list}
	page.Shell.Wide = true
	return web.Render(w, r, status, view.AuditPage(page))
}

// Changes answers GET /changes?after=&limit=: the log from a cursor.
func (h *Handlers) Changes(w http.ResponseWriter, r *http.Request) error {
	asked, err := web.Numbers(r, "after", "limit")
	if err != nil {
		return err
	}
	in := history.ListChanges{After: asked["after"], Limit: int(asked["limit"])}
	out, err := tool.Do(r.Context(), h.Run, h.History.ListChanges, web.Call(r), in)
	if err != nil {
		return err
	}
	return web.Answer(w, r, http.StatusOK, out)
}

func wanted(r *http.Request) (history.ListAudit, error) {
	q := r.URL.Query()
	asked, err := web.Numbers(r, "before", "limit")
	return history.ListAudit{
		Actor: q.Get("actor"), Verb: q.Get("verb"), Object: q.Get("object"), Outcome: q.Get("outcome"),
		Before: asked["before"], Limit: int(asked["limit"]),
	}, err
}

func rowOf(e history.Entry) view.Row {
	return view.Row{
		At: e.At, Actor: e.ActorName, By: e.Credential, Door: e.Door, Verb: e.Verb, Object: e.Object,
		Outcome: e.Outcome, Reason: e.Reason, Request: e.RequestID,
	}
}
