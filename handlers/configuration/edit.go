package configuration

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/web"

	view "crewlet/views/configuration"
)

// Edit draws the document in force, to be written over; or, as a fragment,
// what stands above it.
func (h *Handlers) Edit(w http.ResponseWriter, r *http.Request) error {
	page, err := h.page(r)
	if err != nil {
		return err
	}
	if web.Partial(r) {
		if page.Standing.Base, err = web.Number(r, "base"); err != nil {
			return err
		}
		return web.Render(w, r, http.StatusOK, view.StandingPart(page.Standing))
	}
	saved, err := web.Number(r, "saved")
	if err != nil {
		return err
	}
	page.Shell.Done = done(saved, r.URL.Query())
	return web.Render(w, r, http.StatusOK, view.EditorPage(page))
}

// page is the editor over the revision in force.
func (h *Handlers) page(r *http.Request) (view.Page, error) {
	call := web.Call(r)
	now, err := tool.Do(r.Context(), h.Run, h.Company.GetConfig, call, company.GetConfig{})
	if err != nil {
		return view.Page{}, err
	}
	nodes, err := h.nodes(r.Context(), now.ID)
	if err != nil {
		return view.Page{}, err
	}
	shell := web.Shell(r, "Configuration", "configuration", call.Landed.Position)
	shell.Wide = true
	return view.Page{
		Shell:    shell,
		Standing: view.Standing{Revision: revisionOf(now.Revision), Base: now.ID, Nodes: nodes, AsOf: call.Landed.Position, Now: call.Now},
		Editor: view.Editor{
			Key: tool.NewKey(), Base: now.ID, Ends: endsOf(now.Text), Text: now.Text,
			May: web.May(h.Company.WriteConfig.Access, call.By),
		},
	}, nil
}

// done says what the write that led here did.
func done(saved int64, query url.Values) string {
	if saved == 0 {
		return ""
	}
	says := fmt.Sprintf("Revision %d is saved.", saved)
	if query.Has("missing") {
		says += " Some secrets it names are not stored yet; Settings › Secrets lists them."
	}
	if query.Has("replaced") {
		says += fmt.Sprintf(" A server or a seat got another name in the text, so it is a new one there; to keep its history, go back to revision %d and rename it.", saved-1)
	}
	return says
}

// landing is where a write leads: the editor, which says what came of it.
func landing(out company.Written) string {
	to := fmt.Sprintf("%s?saved=%d", view.Address, out.RevisionID)
	missing := func(w company.Warning) bool { return w.Name != "" }
	if slices.ContainsFunc(out.Warnings, missing) {
		to += "&missing=1"
	}
	if slices.ContainsFunc(out.Warnings, func(w company.Warning) bool { return !missing(w) }) {
		to += "&replaced=1"
	}
	return to
}

// Save writes the text over the revision it was drawn from, or only checks
// it. Whatever is wrong, the text comes back as it was typed.
func (h *Handlers) Save(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[company.WriteConfig](r)
	if err != nil {
		return err
	}
	key, ends := call.Key, r.PostForm.Get("_ends")
	in.Text = withEnds(in.Text, ends)
	if in.DryRun {
		call.Key = tool.NewKey() // the form's own is for saving
	}
	out, err := tool.Do(r.Context(), h.Run, h.Company.WriteConfig, call, in)
	no := refusal.Of(err)
	if err != nil && !no.Redraws() {
		return err
	}
	if err == nil && !in.DryRun {
		return web.SeeLanded(w, r, landing(out), call.Key)
	}
	page, err := h.page(r)
	if err != nil {
		return err
	}
	e := &page.Editor
	e.Key, e.Base, e.Ends, e.Text, e.Summary, e.Redrawn = key, in.IfMatch, ends, in.Text, in.Summary, true
	if no == nil {
		e.Checked, e.Warnings = true, warningsOf(out.Warnings)
		return web.Render(w, r, http.StatusOK, view.EditorPage(page))
	}
	if err := h.refused(r, no, e); err != nil {
		return err
	}
	page.Standing.Base = e.Base
	return web.Render(w, r, web.FormStatus(no), view.EditorPage(page))
}

// refused draws a refusal into the editor.
func (h *Handlers) refused(r *http.Request, no *refusal.Refusal, e *view.Editor) error {
	e.Key, e.Says, e.Sent = web.Again(e.Key, no, "This form was already sent with another text, and that was taken. What you typed since is below and not saved yet.")
	e.Fields = no.Fields
	if problems, ok := no.Details["problems"].([]company.Problem); ok {
		e.Problems = problemsOf(problems, e.Text)
		e.Says = "" // all of it stands in the list
		e.Fields["text"] = "Nothing is saved. What is wrong is listed above, line by line."
	}
	current, _ := no.Details["revision_id"].(int64)
	if current == 0 {
		return nil
	}
	if no.Class == refusal.RevisionAdvanced {
		diff, err := tool.Do(r.Context(), h.Run, h.Company.DiffRevisions, web.Call(r), company.DiffRevisions{From: e.Base, To: current})
		if err != nil && !refusal.Is(err, refusal.NotFound) {
			return err
		}
		if err == nil {
			e.Since = &view.Changed{From: e.Base, To: current, Lines: web.DiffLines(diff.Lines)}
		}
	}
	e.Base = current
	return nil
}

func problemsOf(problems []company.Problem, text string) []view.Problem {
	lines := strings.Split(text, "\n")
	out := make([]view.Problem, len(problems))
	for i, p := range problems {
		out[i] = view.Problem{Path: p.Path, Line: p.Line, Says: p.Message}
		if p.Line > 0 && p.Line <= len(lines) {
			out[i].Text = clip(strings.TrimSpace(lines[p.Line-1]))
		}
	}
	return out
}

// clip keeps a line to what fits beside its problem.
func clip(line string) string {
	const most = 120
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return line
}

func warningsOf(warnings []company.Warning) []view.Warning {
	out := make([]view.Warning, len(warnings))
	for i, w := range warnings {
		out[i] = view.Warning{Line: w.Line, Name: w.Name, Says: w.Message}
	}
	return out
}

const (
	lf   = "lf"
	crlf = "crlf"
)

// endsOf is what most lines of a text end with.
func endsOf(text string) string {
	if 2*strings.Count(text, "\r\n") > strings.Count(text, "\n") {
		return crlf
	}
	return lf
}

// withEnds gives a text its own line ends back: browsers send every text with
// CRLF.
func withEnds(text, ends string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if ends == crlf {
		return strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}
