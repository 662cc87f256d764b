package servers

import (
	"net/http"
	"net/url"

	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	"crewlet/views/ui"

	view "crewlet/views/servers"
)

// Edit draws a server's declaration as it stands, to be written over.
func (h *Handlers) Edit(w http.ResponseWriter, r *http.Request) error {
	in, entry, err := h.standing(r)
	if err != nil {
		return err
	}
	if !in.holds(entry) {
		page := view.Edit{Apart: true}
		return h.drawEdit(w, r, http.StatusOK, page)
	}
	form := formOf(in)
	form.Key = tool.NewKey()
	return h.drawEdit(w, r, http.StatusOK, view.Edit{Form: form})
}

// standing is the form of what is declared now.
func (h *Handlers) standing(r *http.Request) (typed, map[string]any, error) {
	call, name := web.Call(r), r.PathValue("name")
	if err := web.Offered(h.Company.PutServer.Access, call.By); err != nil {
		return typed{}, nil, err
	}
	now, err := tool.Do(r.Context(), h.Run, h.Company.GetConfig, call, company.GetConfig{})
	if err != nil {
		return typed{}, nil, err
	}
	entry, there, err := company.Declared(now.Text, name)
	if err != nil {
		return typed{}, nil, err
	}
	if !there {
		return typed{}, nil, refusal.NotFound.Say("No server %s is declared.", name)
	}
	in, err := typedOf(name, entry)
	in.IfMatch = now.ID
	return in, entry, err
}

// Save writes the declaration over the revision the form was drawn from. A
// stale form comes back with what changed, and what was typed.
func (h *Handlers) Save(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[typed](r)
	if err != nil {
		return err
	}
	in.trim()
	in.Name = r.PathValue("name")
	if err = h.save(r, call, in); err == nil {
		return web.SeeLanded(w, r, at(in.Name, "saved"), call.Key)
	}
	no := refusal.Of(err)
	if !no.Redraws() || no.Class == refusal.NoSuchEntity {
		return err
	}
	page := view.Edit{Form: redrawn(in, call, no)}
	if current, _ := no.Details["revision_id"].(int64); no.Class == refusal.RevisionAdvanced && current != 0 {
		if page.Since, err = h.since(r, in.IfMatch, current); err != nil {
			return err
		}
		page.Form.IfMatch = current
	}
	return h.drawEdit(w, r, web.FormStatus(no), page)
}

func (h *Handlers) save(r *http.Request, call *tool.Call, in typed) error {
	d, err := in.declaration()
	if err != nil {
		return err
	}
	if err := d.credentials(in); err != nil {
		return err
	}
	put := company.PutServer{Name: in.Name, Entry: d.entry, Writing: company.Writing{Summary: in.Summary, IfMatch: in.IfMatch}}
	if in.Summary == "" {
		put.Summary = "Edit server " + in.Name
	}
	_, err = tool.Do(r.Context(), h.Run, h.Company.PutServer, call, put)
	return err
}

// since is what others changed in the document.
func (h *Handlers) since(r *http.Request, from, to int64) ([]ui.DiffLine, error) {
	diff, err := tool.Do(r.Context(), h.Run, h.Company.DiffRevisions, web.Call(r), company.DiffRevisions{From: from, To: to})
	if refusal.Is(err, refusal.NotFound) || refusal.Is(err, refusal.Forbidden) {
		return nil, nil // then the sentence alone says it
	}
	lines := make([]ui.DiffLine, len(diff.Lines))
	kinds := map[company.LineKind]ui.LineKind{company.Added: ui.Added, company.Removed: ui.Removed, company.Gap: ui.Gap}
	for i, l := range diff.Lines {
		lines[i] = ui.DiffLine{Kind: kinds[l.Kind], Old: l.Old, New: l.New, Text: l.Text}
	}
	return lines, err
}

func (h *Handlers) drawEdit(w http.ResponseWriter, r *http.Request, status int, page view.Edit) error {
	name := r.PathValue("name")
	page.Name, page.Shell = name, web.Shell(r, "Edit", "tools", 0)
	page.Shell.Crumbs = crumbs(name)
	here := view.ServerAddress(name)
	page.Form.Name, page.Form.Action, page.Form.TryAction = name, here+"/edit", here+"/try"
	page.Form.MayMake = h.mayMake(r)
	page.Form.Draft, page.Form.Here = "server-edit-"+name, here+"/edit"
	return web.Render(w, r, status, view.EditPage(page))
}

// RenameForm draws the form that gives a server another name.
func (h *Handlers) RenameForm(w http.ResponseWriter, r *http.Request) error {
	in, _, err := h.standing(r)
	if err != nil {
		return err
	}
	return h.drawRename(w, r, http.StatusOK, view.Rename{Key: tool.NewKey(), To: in.Name})
}

// Rename gives a server another name, everywhere it is named.
func (h *Handlers) Rename(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[company.RenameServer](r)
	if err != nil {
		return err
	}
	in.Name = r.PathValue("name")
	typed := in
	if in.Summary == "" {
		in.Summary = "Rename server " + in.Name + " to " + in.To
	}
	_, err = tool.Do(r.Context(), h.Run, h.Company.RenameServer, call, in)
	if err == nil {
		return web.SeeLanded(w, r, at(in.To, "renamed"), call.Key)
	}
	no := refusal.Of(err)
	if !no.Redraws() || no.Class == refusal.NoSuchEntity {
		return err
	}
	f := redrawn(ofRename(typed), call, no)
	return h.drawRename(w, r, web.FormStatus(no), view.Rename{
		Key: f.Key, To: typed.To, Summary: typed.Summary, Says: f.Says, Sent: f.Sent, Fields: f.Fields, Redrawn: true,
	})
}

func ofRename(in company.RenameServer) typed { return typed{Name: in.Name, Summary: in.Summary} }

func (h *Handlers) drawRename(w http.ResponseWriter, r *http.Request, status int, page view.Rename) error {
	page.Name, page.Shell = r.PathValue("name"), web.Shell(r, "Rename", "tools", 0)
	page.Shell.Crumbs = crumbs(page.Name)
	return web.Render(w, r, status, view.RenamePage(page))
}

// at is a server's page, saying what was just done.
func at(name, did string) string {
	return view.ServerAddress(name) + "?did=" + url.QueryEscape(did)
}
