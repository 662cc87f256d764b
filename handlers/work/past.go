package work

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"crewlet/engine/tool"
	"crewlet/engine/tracker"
	"crewlet/handlers/web"
	"crewlet/views/layout"
	"crewlet/views/ui"

	view "crewlet/views/work"
)

func (d drawing) past() view.Past {
	p := view.Past{Key: d.out.Key, AsOf: d.out.AsOf}
	for _, e := range d.out.History {
		p.Events = append(p.Events, eventOf(e, d.call))
	}
	if d.out.HistoryNext != "" {
		p.More = view.ItemAddress(d.out.Key) + "/history?cursor=" + d.out.HistoryNext
	}
	return p
}

var kindWords = map[string]string{
	"item.created": "filed it", "item.updated": "changed it", "comment.added": "commented", "comment.edited": "edited a comment",
	"comment.removed": "removed a comment", "ask.opened": "asked a question", "ask.answered": "answered a question", "ask.withdrawn": "withdrew a question",
}

// inThread are fields of comments and questions that stand in the thread, in
// full.
var inThread = []string{"comment", "ask", "body", "mentions", "options", "question"}

func eventOf(e tracker.Event, call *tool.Call) view.Event {
	out := view.Event{At: ui.TimeView{At: e.At, Now: call.Now}, Kind: kindWords[e.Kind]}
	if out.Kind == "" {
		out.Kind = strings.ReplaceAll(e.Kind, ".", " ")
	}
	if e.Author != nil {
		out.By = e.Author.Name
	}
	var deltas map[string]struct{ From, To any }
	if json.Unmarshal(e.Changed, &deltas) != nil {
		return out // written by another version: the event stands without its fields
	}
	var fields []string
	talk := !strings.HasPrefix(e.Kind, "item.")
	for field := range deltas {
		if talk && slices.Contains(inThread, field) {
			continue
		}
		fields = append(fields, field)
	}
	slices.Sort(fields)
	for _, field := range fields {
		if field == "reason" {
			out.Reason = said(deltas[field].To)
			continue
		}
		change := view.Change{Field: strings.ReplaceAll(field, "_", " "), From: said(deltas[field].From), To: said(deltas[field].To)}
		if field == "status" || field == "type" {
			change.From, change.To = view.Words(change.From), view.Words(change.To)
		}
		if change.From != change.To {
			out.Says = append(out.Says, change)
		}
	}
	return out
}

// said is a value of the log in words.
func said(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case []any:
		var words []string
		for _, one := range v {
			words = append(words, said(one))
		}
		return strings.Join(words, ", ")
	default:
		return fmt.Sprint(v)
	}
}

// Told draws who heard of each change of an item, and why.
func (h *Handlers) Told(w http.ResponseWriter, r *http.Request) error {
	call, key := web.Call(r), strings.ToUpper(r.PathValue("key"))
	out, err := tool.Do(r.Context(), h.Run, h.Tracker.WorkRouting, call, tracker.WorkRouting{Key: key, Cursor: r.URL.Query().Get("cursor")})
	if err != nil {
		return err
	}
	if web.WantsJSON(r) {
		return web.Answer(w, r, http.StatusOK, out)
	}
	page := view.ToldPage{Shell: web.Shell(r, "Who was told", "work", call.Landed.Position), Key: key}
	page.Shell.Crumbs = []layout.Crumb{{Label: "All work", Href: view.ListAddress}, {Label: key, Href: view.ItemAddress(key)}}
	for _, change := range out.Changes {
		row := view.Told{At: ui.TimeView{At: change.At, Now: call.Now}}
		if change.Author != nil {
			row.By = change.Author.Name
		}
		var did []string
		for _, kind := range change.Kinds {
			if words := kindWords[kind]; words != "" {
				did = append(did, words)
			}
		}
		row.Summary = strings.Join(did, ", ")
		for _, who := range change.Reached {
			row.Reached = append(row.Reached, view.Reached{Who: personOf(who.Who), Reason: who.Reason})
		}
		if len(row.Reached) > 0 {
			page.Rows = append(page.Rows, row)
		}
	}
	if out.Next != "" {
		page.More = view.ItemAddress(key) + "/told?cursor=" + out.Next
	}
	return web.Render(w, r, http.StatusOK, view.ToldShow(page))
}
