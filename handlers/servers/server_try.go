package servers

import (
	"net/http"
	"slices"
	"strings"

	"crewlet/engine/refusal"
	"crewlet/engine/servers"
	"crewlet/engine/tool"
	"crewlet/handlers/web"

	view "crewlet/views/servers"
)

// TryNew starts the server of a form once, outside the catalogue, and draws
// the form again with what came of it.
func (h *Handlers) TryNew(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[typed](r)
	if err != nil {
		return err
	}
	pile, err := pileOf(r)
	if err != nil {
		return err
	}
	form, status, err := h.try(r, call, in, pile.first())
	if err != nil {
		return err
	}
	if err := h.pasted(r, &form, pile); err != nil {
		return err
	}
	return h.drawNew(w, r, status, form)
}

// TryEdited does the same for a declared server's form.
func (h *Handlers) TryEdited(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[typed](r)
	if err != nil {
		return err
	}
	in.Name = r.PathValue("name")
	form, status, err := h.try(r, call, in, entry{})
	if err != nil {
		return err
	}
	return h.drawEdit(w, r, status, view.Edit{Form: form})
}

// try runs under a key of its own: the form's is for saving.
func (h *Handlers) try(r *http.Request, call *tool.Call, in typed, came entry) (view.Form, int, error) {
	in.trim()
	key := call.Key
	call.Key = tool.NewKey()
	out, err := h.tried(r, call, in, came)
	call.Key = key
	if no := refusal.Of(err); err != nil {
		if !no.Redraws() {
			return view.Form{}, 0, err
		}
		return redrawn(in, call, no), web.FormStatus(no), nil
	}
	form := formOf(in)
	form.Key, form.Redrawn, form.Ask = key, true, in.Plain
	form.Tried = outcome(out, came)
	for _, name := range out.Missing {
		if !slices.ContainsFunc(came.Secrets, func(s carried) bool { return s.Name == name }) {
			form.Needs = append(form.Needs, lacking(name, "is not stored yet."))
		}
	}
	return form, http.StatusOK, nil
}

// tried starts it with the values that came along, beside the entry: they are
// stored only when it is added.
func (h *Handlers) tried(r *http.Request, call *tool.Call, in typed, came entry) (servers.Tried, error) {
	d, err := in.declaration()
	if err != nil {
		return servers.Tried{}, err
	}
	ask := servers.TryServer{Name: in.Name, Entry: d.entry}
	if ask.Name == "" {
		ask.Name = "untitled"
	}
	for _, s := range came.Secrets {
		if s.Value != "" {
			ask.Values = append(ask.Values, servers.TrialValue{Name: s.Name, Value: s.Value})
		}
	}
	return tool.Do(r.Context(), h.Run, h.Servers.Try, call, ask)
}

// outcome is what a trial came to, without the values it was started with.
func outcome(out servers.Tried, came entry) *view.Tried {
	hide := func(text string) string {
		for _, s := range came.Secrets {
			if s.Value != "" {
				text = strings.ReplaceAll(text, s.Value, "•••")
			}
		}
		return text
	}
	t := &view.Tried{OK: out.OK, Says: seen(hide(out.Says)), Took: took(out.TookMS), Unknown: out.Unmatched}
	if !out.OK {
		t.Tail = seen(hide(strings.Join(out.StderrTail, "\n")))
	}
	for _, b := range out.Tools {
		t.Tools = append(t.Tools, view.Tool{
			Name: b.Name, Label: seen(b.Name), Title: seen(hide(b.Title)), Description: seen(hide(b.Description)), Invisible: b.Invisible, Hint: b.Hint, Withheld: seen(b.Invalid),
		})
	}
	return t
}
