package work

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"crewlet/engine/access"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
	"crewlet/handlers/web"
	"crewlet/views/layout"
	"crewlet/views/prose"
	"crewlet/views/ui"

	view "crewlet/views/work"
)

// returned is a form that came back with a refusal: which one, what was typed
// into it, and what was said.
type returned struct {
	form  string // title, description, facts, comment, ask, answer:<id>, edit:<id>
	state view.Form
	newer bool // somebody else saved the text meanwhile
}

// of is the state a form of a page is drawn in.
func (b returned) of(form string) view.Form {
	if b.form != form {
		return view.Form{Key: tool.NewKey()}
	}
	state := b.state
	state.Open = true
	return state
}

// Show draws an item, or the part of its page that a script asks for.
func (h *Handlers) Show(w http.ResponseWriter, r *http.Request) error {
	return h.show(w, r, http.StatusOK, returned{})
}

func (h *Handlers) show(w http.ResponseWriter, r *http.Request, status int, back returned) error {
	call := web.Call(r)
	out, err := tool.Do(r.Context(), h.Run, h.Tracker.GetItem, call, tracker.GetItem{Key: r.PathValue("key"), Before: r.URL.Query().Get("before"), Whole: true})
	if err != nil {
		return err
	}
	if web.WantsJSON(r) {
		return web.Answer(w, r, status, out)
	}
	d := drawing{h: h, call: call, out: out, back: back, may: web.May(h.Tracker.UpdateItem.Access, call.By)}
	if web.Partial(r) {
		switch r.URL.Query().Get("part") {
		case "body":
			return web.Render(w, r, status, view.BodyPart(d.body()))
		case "thread":
			return web.Render(w, r, status, view.ThreadPart(d.thread(r.URL.Query().Get("before"))))
		case "past":
			return web.Render(w, r, status, view.PastPart(d.past()))
		default:
			return web.Render(w, r, status, view.FactsPart(d.facts()))
		}
	}
	page := view.ItemPage{
		Shell: web.Shell(r, out.Title, "work", call.Landed.Position),
		Body:  d.body(), Facts: d.facts(), Thread: d.thread(r.URL.Query().Get("before")), Past: d.past(),
	}
	page.Says = d.stray(page.Thread)
	page.Shell.Wide = true
	page.Shell.Crumbs = []layout.Crumb{{Label: "Projects", Href: view.ProjectsAddress}, {Label: out.ProjectName, Href: view.ProjectAddress(out.Project)}}
	return web.Render(w, r, status, view.ItemShow(page))
}

// drawing turns an item that was read into the parts of its page.
type drawing struct {
	h    *Handlers
	call *tool.Call
	out  tracker.ItemRead
	back returned
	may  bool
}

func linkedOf(list []tracker.Linked) []view.Linked {
	linked := []view.Linked{}
	for _, l := range list {
		linked = append(linked, view.Linked{Key: l.Key, Title: l.Title, Status: l.Status})
	}
	return linked
}

func (d drawing) body() view.Body {
	b := view.Body{
		Key: d.out.Key, Title: d.out.Title, Description: d.out.Description, Version: d.out.Version, Editions: d.out.Editions, Trail: linkedOf(d.out.Trail), Parts: linkedOf(d.out.Parts),
		Known: knownOf(d.out.Everybody), May: d.may, Retitle: d.back.of("title"), Rewrite: d.back.of("description"), AsOf: d.out.AsOf,
	}
	if d.back.form == "description" && d.back.newer {
		b.Newer = d.out.Description
	}
	return b
}

func (d drawing) facts() view.Facts {
	out, now := d.out, d.call.Now
	f := view.Facts{
		Key: out.Key, Item: itemOf(out.Item, now), Start: out.Start, Due: out.Due, Parent: out.Parent, Reporter: personOf(out.Reporter),
		Watchers: peopleOf(out.Watchers), Collaborators: peopleOf(out.Collaborators), Watching: out.Watching, WaitingOn: linkedOf(out.WaitingOn),
		Blocking: linkedOf(out.Blocking), Related: linkedOf(out.Linked), Duplicates: linkedOf(out.Duplicates), References: out.References,
		Everybody: peopleOf(out.Everybody), Lists: lists(), May: d.may, Keys: tool.NewKey, Created: out.CreatedAt, Updated: out.UpdatedAt, Now: now,
		Version: out.Version, AsOf: out.AsOf,
	}
	if out.Estimate != nil {
		f.Estimate = strconv.FormatInt(*out.Estimate, 10)
	}
	if out.Points != nil {
		f.Points = strconv.FormatFloat(*out.Points, 'f', -1, 64)
	}
	for _, tag := range out.Declared {
		if on := slices.Contains(out.Labels, tag.Slug); on || !tag.Archived {
			f.Declared = append(f.Declared, view.Label{Slug: tag.Slug, Name: tag.Label, On: on})
		}
	}
	if d.back.form == "facts" {
		f.Form = d.back.of("facts")
	}
	return f
}

// stray is what was said of a form that the page has no longer: its comment is
// on another page, or was removed.
func (d drawing) stray(t view.Thread) string {
	kind, id, _ := strings.Cut(d.back.form, ":")
	if kind != "withdraw" && kind != "remove" && kind != "answer" && kind != "edit" {
		return ""
	}
	drawn := slices.ContainsFunc(t.Comments, func(c view.Comment) bool { return c.ID == id && (kind != "answer" || c.Ask != nil) })
	if drawn {
		return ""
	}
	return d.back.state.Says + d.back.state.Sent
}

func (d drawing) thread(before string) view.Thread {
	t := view.Thread{Before: before, Key: d.out.Key, Comment: d.back.of("comment"), Ask: d.back.of("ask"), People: peopleOf(d.out.Everybody), May: d.may, AsOf: d.out.AsOf}
	if d.out.CommentsNext != "" {
		t.Older = view.ItemAddress(d.out.Key) + "?before=" + url.QueryEscape(d.out.CommentsNext) + "#thread"
	}
	known := knownOf(d.out.Everybody)
	for _, c := range slices.Backward(d.out.Thread) { // as it was said: the oldest first
		t.Comments = append(t.Comments, d.comment(c, known))
	}
	return t
}

func (d drawing) comment(c tracker.Comment, known func(string) (string, bool)) view.Comment {
	out := view.Comment{
		ID: c.ID, Author: personOf(c.Author), Kind: c.AuthorKind, Text: prose.Text{Markdown: c.Body, Known: known}, Raw: c.Body,
		At: ui.TimeView{At: c.At, Now: d.call.Now}, Edited: c.EditedAt != nil, Mine: c.Mine && !c.Removed && d.may, Edit: d.back.of("edit:" + c.ID),
		Removed: remover(c),
	}
	if d.may && !c.Removed && (c.Mine || d.call.By.Grants.Has(access.PeopleManage)) {
		out.Remove = tool.NewKey()
	}
	if c.Ask != nil {
		ask := d.h.askOf(*c.Ask, d.call, known, view.ItemAddress(d.out.Key)+"/asks/"+c.Ask.ID)
		ask.Asked, ask.Withdraw = c.Mine && d.may, tool.NewKey()
		d.answering(&ask)
		out.Ask = &ask
	}
	if c.Answers != nil {
		for _, o := range c.Answers.Choice {
			out.Chose = append(out.Chose, o.Label)
		}
	}
	return out
}

// remover is who removed a comment; empty where it stands.
func remover(c tracker.Comment) string {
	switch {
	case !c.Removed:
		return ""
	case c.RemovedBy != nil:
		return c.RemovedBy.Name
	default:
		return "somebody"
	}
}

// answering puts a form that came back onto its question.
func (d drawing) answering(ask *view.Ask) {
	ask.Form = d.back.of("answer:" + ask.ID)
	for i, o := range ask.Options {
		ask.Options[i].Chosen = slices.Contains(chosen(ask.Form), o.ID)
	}
}
