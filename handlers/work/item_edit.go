package work

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
	"crewlet/handlers/web"

	view "crewlet/views/work"
)

// Update changes what one form of an item's page holds. A form that is sent as
// it changes is answered with the facts as they are then; another leads back.
func (h *Handlers) Update(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[tracker.UpdateItem](r)
	in.Key = r.PathValue("key")
	if err == nil {
		_, err = tool.Do(r.Context(), h.Run, h.Tracker.UpdateItem, call, in)
	}
	form := r.PostForm.Get("_form")
	if err == nil && web.Partial(r) {
		w.Header().Set("HX-Trigger", `{"landed":"`+call.Key+`"}`)
		return h.show(w, r, http.StatusOK, returned{})
	}
	if err == nil {
		return web.SeeLanded(w, r, view.ItemAddress(strings.ToUpper(in.Key)), call.Key)
	}
	return h.returns(w, r, call, form, err)
}

// returns draws the page again with a form that was refused, all that was typed
// in it kept.
func (h *Handlers) returns(w http.ResponseWriter, r *http.Request, call *tool.Call, form string, err error) error {
	no := refusal.Of(err)
	if !no.Redraws() || no.Class == refusal.Internal {
		return err
	}
	back := returned{form: form, newer: no.Class == refusal.Stale, state: stateOf(r.PostForm, call, form, no)}
	if read, ok := no.Details["version"].(int); ok && back.newer {
		back.state.Typed["base_version"] = strconv.Itoa(read)
	}
	return h.show(w, r, no.Status(), back)
}

// stateOf is a form as it comes back. One whose key landed with other text gets
// a new key, and says so; any other is sent again under its own.
func stateOf(values url.Values, call *tool.Call, form string, no *refusal.Refusal) view.Form {
	state := view.Form{Open: true, Wrong: map[string]string{}, Typed: typed(values)}
	if state.Key, state.Says, state.Sent = web.Again(call.Key, no, web.SentBefore); state.Key != call.Key {
		return state
	}
	shown := len(no.Fields) > 0
	for field, says := range no.Fields {
		name := drawnAs(field)
		state.Wrong[name] = says
		shown = shown && slices.Contains(fieldsOf(form), name)
	}
	if shown {
		state.Says = ""
	}
	return state
}

// drawnAs is the field of a form that a refused argument is drawn in: a set is
// refused by its name, or by one of its parts or entries.
func drawnAs(argument string) string {
	if strings.HasPrefix(argument, "ask.decision") {
		return "ask.decision.options"
	}
	end := strings.IndexAny(argument, ".[")
	if end < 0 || strings.HasPrefix(argument, "ask.") {
		return argument
	}
	return argument[:end]
}

// fieldsOf are the fields a form has a place for a sentence at.
func fieldsOf(form string) []string {
	if strings.HasPrefix(form, "answer:") || strings.HasPrefix(form, "edit:") {
		return []string{"body", "choice"}
	}
	return map[string][]string{
		"new":   {"title", "project", "description", "type", "priority", "assignee", "due", "parent"},
		"title": {"title"}, "description": {"description"}, "comment": {"body"}, "reasons": {"primary"}, "add": {"item"}, "ask": {"ask.to", "body", "ask.decision.options", "ask.due"},
		"facts": {"status", "assignee", "priority", "type", "due", "start", "estimate_minutes", "points", "parent", "labels", "watchers",
			"waiting_on", "blocking", "linked", "duplicates", "references"},
	}[form]
}

// typed is what a form held, by the names its fields are drawn with.
func typed(values url.Values) map[string]string {
	text := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		sent := values[name]
		base, part, _ := strings.Cut(name, ".")
		switch {
		case len(sent) == 0:
		case part == "add" || part == "set":
			text[base] = sent[len(sent)-1]
		default:
			text[name] = strings.Join(sent, "\n")
		}
	}
	return text
}

// chosen are the options a form that came back had ticked.
func chosen(f view.Form) []string { return strings.Fields(f.Typed["choice"]) }
