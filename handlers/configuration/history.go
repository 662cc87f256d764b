package configuration

import (
	"fmt"
	"net/http"

	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	"crewlet/views/layout"

	view "crewlet/views/configuration"
)

// History draws the revisions, newest first.
func (h *Handlers) History(w http.ResponseWriter, r *http.Request) error {
	call := web.Call(r)
	before, err := web.Number(r, "before")
	if err != nil {
		return err
	}
	list, err := tool.Do(r.Context(), h.Run, h.Company.ListRevisions, call, company.ListRevisions{Before: before})
	if err != nil {
		return err
	}
	page := view.History{AsOf: call.Landed.Position, Now: call.Now}
	for _, rev := range list.Revisions {
		page.Revisions = append(page.Revisions, revisionOf(rev))
	}
	if before != 0 {
		page.First = view.Address + "/revisions"
	}
	if list.Next != 0 {
		page.Next = fmt.Sprintf("%s/revisions?before=%d", view.Address, list.Next)
	}
	if web.Partial(r) {
		return web.Render(w, r, http.StatusOK, view.Revisions(page))
	}
	page.Shell = web.Shell(r, "History", "configuration", call.Landed.Position)
	page.Shell.Crumbs = []layout.Crumb{{Label: "Configuration", Href: view.Address}}
	return web.Render(w, r, http.StatusOK, view.HistoryPage(page))
}

// Revision draws one revision: what it changed, its text, the way back.
func (h *Handlers) Revision(w http.ResponseWriter, r *http.Request) error {
	id, err := revisionID(r)
	if err != nil {
		return err
	}
	page, err := h.revision(r, id)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.RevisionPage(page))
}

func (h *Handlers) revision(r *http.Request, id int64) (view.One, error) {
	call := web.Call(r)
	rev, err := tool.Do(r.Context(), h.Run, h.Company.GetRevision, call, company.GetRevision{ID: id})
	if err != nil {
		return view.One{}, err
	}
	page := view.One{
		Shell:    web.Shell(r, fmt.Sprintf("Revision %d", id), "configuration", call.Landed.Position),
		Revision: revisionOf(rev.Revision), Newest: rev.Newest, Text: rev.Text, Lines: web.DiffLines(rev.Changes), Now: call.Now,
		Revert: view.Revert{Key: tool.NewKey(), Base: rev.Newest, May: web.May(h.Company.RevertConfig.Access, call.By)},
	}
	page.Shell.Wide = true
	page.Shell.Topics = []string{"config"}
	page.Shell.Crumbs = []layout.Crumb{{Label: "Configuration", Href: view.Address}, {Label: "History", Href: view.Address + "/revisions"}}
	return page, nil
}

// Revert makes a revision's text the newest again.
func (h *Handlers) Revert(w http.ResponseWriter, r *http.Request) error {
	id, err := revisionID(r)
	if err != nil {
		return err
	}
	in, call, err := web.Form[company.RevertConfig](r)
	if err != nil {
		return err
	}
	in.To = id
	out, err := tool.Do(r.Context(), h.Run, h.Company.RevertConfig, call, in)
	if err == nil {
		return web.SeeLanded(w, r, landing(out), call.Key)
	}
	no := refusal.Of(err)
	if !no.Redraws() {
		return err
	}
	page, err := h.revision(r, id)
	if err != nil {
		return err
	}
	page.Revert.Summary, page.Revert.Fields, page.Revert.Redrawn = in.Summary, no.Fields, true
	page.Revert.Key, page.Revert.Says, page.Revert.Sent = web.Again(call.Key, no, "This form was already sent, and that was taken.")
	return web.Render(w, r, web.FormStatus(no), view.RevisionPage(page))
}
