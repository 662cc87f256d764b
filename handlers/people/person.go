package people

import (
	"net/http"

	"crewlet/engine/identity"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	"crewlet/views/layout"
	view "crewlet/views/people"
)

func crumbs() []layout.Crumb { return []layout.Crumb{{Label: "People", Href: view.Address}} }

// Bind puts the person in a seat.
func (h *Handlers) Bind(w http.ResponseWriter, r *http.Request) error {
	return change(h, w, r, "seat", h.Identity.BindSeat, func(in *identity.BindSeat, id string) { in.Person = id })
}

// Unbind takes the person out of their seat.
func (h *Handlers) Unbind(w http.ResponseWriter, r *http.Request) error {
	return change(h, w, r, "seat", h.Identity.UnbindSeat, func(*identity.UnbindSeat, string) {})
}

// Grant sets what the person may do.
func (h *Handlers) Grant(w http.ResponseWriter, r *http.Request) error {
	return change(h, w, r, "grants", h.Identity.GrantPerson, func(in *identity.GrantPerson, id string) { in.Person = id })
}

// Withhold hides the person's login and contacts, or shows them again.
func (h *Handlers) Withhold(w http.ResponseWriter, r *http.Request) error {
	return change(h, w, r, "withhold", h.Identity.WithholdPerson, func(in *identity.WithholdPerson, id string) { in.Person = id })
}

// Suspend keeps the person out.
func (h *Handlers) Suspend(w http.ResponseWriter, r *http.Request) error {
	return change(h, w, r, "stage", h.Identity.SuspendPerson, func(in *identity.SuspendPerson, id string) { in.Person = id })
}

// Restore lets the person in again.
func (h *Handlers) Restore(w http.ResponseWriter, r *http.Request) error {
	return change(h, w, r, "stage", h.Identity.RestorePerson, func(in *identity.RestorePerson, id string) { in.Person = id })
}

// change does one of the page's forms; about names the form for what it was
// refused with, and of puts the person's id into the arguments.
func change[In any](h *Handlers, w http.ResponseWriter, r *http.Request, about string, use tool.Use[In, identity.PersonChanged], of func(*In, string)) error {
	in, call, err := web.Form[In](r)
	if err == nil {
		of(&in, r.PathValue("person"))
		_, err = tool.Do(r.Context(), h.Run, use, call, in)
	}
	if err == nil {
		return web.SeeLanded(w, r, view.Address+"/"+r.PathValue("person"), call.Key)
	}
	no := refusal.Of(err)
	if !no.Redraws() || no.Class == refusal.Internal {
		return err
	}
	v, failed := h.one(r)
	if failed != nil {
		return failed
	}
	v.Says, v.Fields = map[string]string{about: no.Says}, no.Fields
	if about == "grants" {
		v.Sent = append([]string{}, r.PostForm["grants"]...)
	}
	return web.Render(w, r, web.FormStatus(no), view.PersonShow(v))
}
