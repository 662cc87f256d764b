package servers

import (
	"net/http"
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
	form, status, err := h.try(r, "", view.NewAddress)
	if err != nil {
		return err
	}
	pile, err := pileOf(r)
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
	name := r.PathValue("name")
	form, status, err := h.try(r, name, view.ServerAddress(name)+"/edit")
	if err != nil {
		return err
	}
	return h.drawEdit(w, r, status, view.Edit{Form: form})
}

// try runs under a key of its own: the form's is for saving.
func (h *Handlers) try(r *http.Request, name, back string) (view.Form, int, error) {
	in, call, err := web.Form[typed](r)
	if err != nil {
		return view.Form{}, 0, err
	}
	in.trim()
	if name != "" {
		in.Name = name
	}
	key := call.Key
	call.Key = tool.NewKey()
	out, err := h.tried(r, call, in)
	call.Key = key
	if no := refusal.Of(err); err != nil {
		if !no.Redraws() {
			return view.Form{}, 0, err
		}
		return redrawn(in, call, no), no.Status(), nil
	}
	form := formOf(in)
	form.Key, form.Redrawn, form.Ask = key, true, in.Plain
	form.Tried = outcome(out)
	for _, name := range out.Missing {
		form.Needs = append(form.Needs, view.Need{Name: name, Says: "is not stored yet.", Make: view.MakeSecret(name, back)})
	}
	return form, http.StatusOK, nil
}

func (h *Handlers) tried(r *http.Request, call *tool.Call, in typed) (servers.Tried, error) {
	d, err := in.declaration()
	if err != nil {
		return servers.Tried{}, err
	}
	name := in.Name
	if name == "" {
		name = "untitled"
	}
	return tool.Do(r.Context(), h.Run, h.Servers.Try, call, servers.TryServer{Name: name, Entry: d.entry})
}

func outcome(out servers.Tried) *view.Tried {
	t := &view.Tried{OK: out.OK, Says: out.Says, Took: took(out.TookMS), Tail: strings.Join(out.StderrTail, "\n"), Unknown: out.Unmatched}
	for _, b := range out.Tools {
		t.Tools = append(t.Tools, view.Tool{Name: b.Name, Title: b.Title, Description: b.Description, Hint: b.Hint, Withheld: b.Invalid})
	}
	return t
}
