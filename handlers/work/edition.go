package work

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"crewlet/engine/changes"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
	"crewlet/handlers/web"
	"crewlet/views/layout"
	"crewlet/views/prose"
	"crewlet/views/ui"

	view "crewlet/views/work"
)

// Editions lists the saves of a description. Asked to compare two, as its form
// does, it leads to the one beside the other.
func (h *Handlers) Editions(w http.ResponseWriter, r *http.Request) error {
	call, key := web.Call(r), strings.ToUpper(r.PathValue("key"))
	asked, err := web.Numbers(r, "before", "limit", "edition", "against")
	if err != nil {
		return err
	}
	if asked["edition"] > 0 {
		to := fmt.Sprintf("%s/%d", view.EditionsAddress(key), asked["edition"])
		if asked["against"] > 0 {
			to += fmt.Sprintf("?against=%d", asked["against"])
		}
		return web.See(w, r, to)
	}
	in := tracker.ListEditions{Key: key, Before: int(asked["before"]), Limit: int(asked["limit"])}
	out, err := tool.Do(r.Context(), h.Run, h.Tracker.ListEditions, call, in)
	if err != nil {
		return err
	}
	if web.WantsJSON(r) {
		return web.Answer(w, r, http.StatusOK, out)
	}
	page := view.EditionsPage{Key: key, Before: in.Before, Next: out.Next, AsOf: call.Landed.Position}
	for _, e := range out.Editions {
		page.Rows = append(page.Rows, editionOf(e, call))
	}
	if web.Partial(r) {
		return web.Render(w, r, http.StatusOK, view.EditionsPart(page))
	}
	page.Shell = web.Shell(r, "Description", "work", call.Landed.Position)
	page.Shell.Wide, page.Shell.Crumbs = true, crumbsTo(key)
	return web.Render(w, r, http.StatusOK, view.EditionsShow(page))
}

func crumbsTo(key string) []layout.Crumb {
	return []layout.Crumb{{Label: "All work", Href: view.ListAddress}, {Label: key, Href: view.ItemAddress(key)}}
}

func editionOf(e tracker.Edition, call *tool.Call) view.Edition {
	return view.Edition{No: e.Edition, By: personOf(e.Author), At: ui.TimeView{At: e.At, Now: call.Now}, Bytes: e.Bytes, Current: e.Current}
}

// Edition draws one save beside another: the one before, or one that the
// address names.
func (h *Handlers) Edition(w http.ResponseWriter, r *http.Request) error {
	return h.edition(w, r, http.StatusOK, view.Restore{Form: view.Form{Key: tool.NewKey()}})
}

func (h *Handlers) edition(w http.ResponseWriter, r *http.Request, status int, restore view.Restore) error {
	call, key := web.Call(r), strings.ToUpper(r.PathValue("key"))
	in, err := editionAsked(r)
	if err != nil {
		return err
	}
	out, err := tool.Do(r.Context(), h.Run, h.Tracker.GetEdition, call, in)
	if err != nil {
		return err
	}
	if web.WantsJSON(r) {
		return web.Answer(w, r, status, out)
	}
	restore.Key, restore.No, restore.Version, restore.AsOf = key, in.Edition, out.Version, call.Landed.Position
	restore.Action = fmt.Sprintf("%s/%d/restore", view.EditionsAddress(key), in.Edition)
	restore.May = !out.Current && web.May(h.Tracker.RestoreEdition.Access, call.By)
	if web.Partial(r) {
		return web.Render(w, r, status, view.RestorePart(restore))
	}
	page := view.EditionPage{
		Shell: web.Shell(r, fmt.Sprintf("Version %d", in.Edition), "work", call.Landed.Position), Key: key, Edition: editionOf(out.Edition, call),
		Against: out.Against, Newest: out.Newest, Lines: web.DiffLines(out.Lines), Text: prose.Text{Markdown: out.Text, Known: knownOf(out.Everybody)}, Restore: restore,
	}
	page.Shell.Wide = true
	page.Shell.Crumbs = append(crumbsTo(key), layout.Crumb{Label: "Description", Href: view.EditionsAddress(key)})
	return web.Render(w, r, status, view.EditionShow(page))
}

// editionAsked reads which save an address is of, and which it stands beside.
func editionAsked(r *http.Request) (tracker.GetEdition, error) {
	in := tracker.GetEdition{Key: r.PathValue("key")}
	no, err := strconv.Atoi(r.PathValue("edition"))
	if err != nil || no < 1 {
		return in, refusal.NotFound.Say("A save of a description is addressed by its number, such as 3.")
	}
	against, err := web.Number(r, "against")
	in.Edition, in.Against = no, int(against)
	return in, err
}

// Restore saves a text from the past again, over the version that was read. A
// newer one is told on the same page, with what came between.
func (h *Handlers) Restore(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[tracker.RestoreEdition](r)
	asked, wrong := editionAsked(r)
	if wrong != nil {
		return wrong
	}
	in.Key, in.Edition = asked.Key, asked.Edition
	if err == nil {
		_, err = tool.Do(r.Context(), h.Run, h.Tracker.RestoreEdition, call, in)
	}
	if err == nil {
		return web.SeeLanded(w, r, view.ItemAddress(strings.ToUpper(in.Key)), call.Key)
	}
	no := refusal.Of(err)
	if !no.Redraws() || no.Class == refusal.Internal {
		return err
	}
	back := view.Restore{Form: stateOf(url.Values{}, call, "restore", no)}
	if no.Class == refusal.Stale {
		back.Since = since(no, call)
		back.Form.Says = "Somebody changed this item since you opened the page, so nothing was saved. Below is what they did; restore the text over it, or leave it."
	}
	return h.edition(w, r, no.Status(), back)
}

// since is what changed between what was read and what is.
func since(no *refusal.Refusal, call *tool.Call) []view.Happened {
	rows, _ := no.Details["changed"].([]changes.Change)
	t := teller{call: call}
	var list []view.Happened
	for _, row := range rows {
		key, _ := strings.CutPrefix(row.Object, "item:")
		list = append(list, t.told(tracker.Event{
			At: row.At, Kind: row.Kind, Item: key, Changed: row.Deltas, Author: &tracker.Person{Name: row.ActorName}, AuthorKind: row.RecordedAs,
		}))
	}
	return list
}
