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
	state := view.Form{Key: call.Key, Open: true, Says: no.Says, Wrong: map[string]string{}, Typed: typed(values)}
	if no.Class == refusal.OpIDInvalid || no.Class == refusal.Conflict && no.Details["op_id"] != nil {
		state.Key, state.Says = tool.NewKey(), ""
		state.Sent = "This form was already sent with other text, and that landed. Send it again to send what it says now."
		return state
	}
	for field, says := range no.Fields {
		// A set is refused by its argument's name, whichever of its parts was sent.
		name, _, _ := strings.Cut(field, ".")
		state.Wrong[field], state.Wrong[name] = says, says
	}
	if known(form, no.Fields) {
		state.Says = ""
	}
	return state
}

// known reports that the form has a field for something that is wrong.
func known(form string, fields map[string]string) bool {
	if len(fields) == 0 {
		return false
	}
	if form == "facts" || form == "new" {
		return true
	}
	names := map[string][]string{
		"title": {"title"}, "description": {"description"}, "comment": {"body"}, "ask": {"ask.to", "body", "ask.decision.options", "ask.due"},
	}[form]
	if strings.HasPrefix(form, "answer:") || strings.HasPrefix(form, "edit:") {
		names = []string{"body", "choice"}
	}
	for field := range fields {
		if slices.Contains(names, field) {
			return true
		}
	}
	return false
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
