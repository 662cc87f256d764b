// Package people serves Settings › People: the list, invitations, and the page
// of one person with what may be done about them.
package people

import (
	"net/http"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/company"
	"crewlet/engine/identity"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	view "crewlet/views/people"
)

// Handlers serve the area's addresses.
type Handlers struct {
	Run      *tool.Runner
	Identity *identity.Identity
	Company  *company.Company // for the palette
}

// List draws the people there are, with the form that invites one.
func (h *Handlers) List(w http.ResponseWriter, r *http.Request) error {
	out, call, err := h.list(r)
	if err != nil {
		return err
	}
	if web.WantsJSON(r) {
		return web.Answer(w, r, http.StatusOK, out)
	}
	if web.Partial(r) {
		return web.Render(w, r, http.StatusOK, view.PeopleList(list(out, call)))
	}
	p := page(r, out, call)
	if p.Shell.Landed != "" {
		p.Shell.Done = "The invitation is taken back."
	}
	return web.Render(w, r, http.StatusOK, view.PeoplePage(p))
}

func (h *Handlers) list(r *http.Request) (identity.People, *tool.Call, error) {
	call := web.Call(r)
	out, err := tool.Do(r.Context(), h.Run, h.Identity.ListPeople, call, identity.ListPeople{})
	return out, call, err
}

func page(r *http.Request, out identity.People, c *tool.Call) view.Page {
	return view.Page{
		Shell:  web.Shell(r, "People", "people", c.Landed.Position),
		List:   list(out, c),
		Invite: view.Invite{Key: tool.NewKey(), Holds: web.ViewerOf(r).By.Grants.List(), Free: free(out)},
	}
}

func free(out identity.People) []view.Seat {
	seats := make([]view.Seat, len(out.Free))
	for i, s := range out.Free {
		seats[i] = view.Seat{Handle: s.Handle, Name: s.Name}
	}
	return seats
}

func list(out identity.People, c *tool.Call) view.List {
	l := view.List{Now: c.Now, AsOf: c.Landed.Position}
	for _, p := range out.People {
		l.People = append(l.People, person(p))
	}
	for _, i := range out.Invitations {
		l.Invitations = append(l.Invitations, view.Invitation{
			ID: i.ID, Name: i.Name, Email: i.Email, Seat: i.Seat, By: i.Author, Grants: i.Grants, Expires: i.ExpiresAt, Key: tool.NewKey(),
		})
	}
	return l
}

func person(p identity.PersonRead) view.Person {
	seen := time.Time{}
	if p.Seen != nil {
		seen = *p.Seen
	}
	return view.Person{
		ID: p.ID, Login: p.Login, Name: p.Name, Email: p.Email, Seat: p.Seat, Grants: p.Grants,
		Suspended: p.Stage == "suspended", Withheld: p.Withheld, Created: p.Created, Seen: seen,
	}
}

// Person draws one person.
func (h *Handlers) Person(w http.ResponseWriter, r *http.Request) error {
	v, err := h.one(r)
	if err != nil {
		return err
	}
	if v.Shell.Landed != "" {
		v.Shell.Done = "What you changed about " + v.Person.Name + " holds from now on."
	}
	return web.Render(w, r, http.StatusOK, view.PersonShow(v))
}

func (h *Handlers) one(r *http.Request) (view.PersonPage, error) {
	out, call, err := h.list(r)
	if err != nil {
		return view.PersonPage{}, err
	}
	by := web.ViewerOf(r).By
	for _, p := range out.People {
		if p.ID != r.PathValue("person") {
			continue
		}
		shell := web.Shell(r, p.Name, "people", call.Landed.Position)
		shell.Crumbs = crumbs()
		return view.PersonPage{
			Shell: shell, Person: person(p), Own: by.Key() == access.PersonParty(p.ID), Holds: by.Grants.List(), Free: free(out), Now: call.Now,
			Keys: view.Keys{Seat: tool.NewKey(), Grants: tool.NewKey(), Withhold: tool.NewKey(), Stage: tool.NewKey()},
		}, nil
	}
	return view.PersonPage{}, refusal.NotFound.Say("There is no such person.")
}
