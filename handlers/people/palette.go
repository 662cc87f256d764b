package people

import (
	"net/http"

	"crewlet/engine/company"
	"crewlet/engine/identity"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	"crewlet/views/layout"
	view "crewlet/views/people"
)

// Found is what the palette finds of people and seats: for those who manage
// people the page of each, and for everybody who may see the company its seats.
func (h *Handlers) Found(r *http.Request) ([]layout.Found, error) {
	var found []layout.Found
	by := web.ViewerOf(r).By
	if web.May(h.Identity.ListPeople.Access, by) {
		out, err := tool.Do(r.Context(), h.Run, h.Identity.ListPeople, web.Call(r), identity.ListPeople{})
		if err != nil {
			return nil, err
		}
		for _, p := range out.People {
			one := person(p)
			note := one.Seat
			if note == "" {
				note = one.Login
			}
			found = append(found, layout.Found{
				Label: one.Name, Note: note, Href: view.Address + "/" + one.ID, Icon: "person", Words: "person " + one.Name + " " + one.Login + " " + one.Seat,
			})
		}
	}
	if web.May(h.Company.GetCompany.Access, by) {
		out, err := tool.Do(r.Context(), h.Run, h.Company.GetCompany, web.Call(r), company.GetCompany{})
		if err != nil {
			return nil, err
		}
		found = seatsFound(found, out.Seats, out.Units)
	}
	return found, nil
}

func seatsFound(found []layout.Found, seats []company.Seat, units []company.Unit) []layout.Found {
	for _, s := range seats {
		words, icon := "seat "+s.Name+" "+s.Handle, "agent"
		if s.Kind == "human" {
			icon = "person"
		}
		if s.Holder != nil {
			words += " " + s.Holder.Name + " " + s.Holder.Login
		}
		found = append(found, layout.Found{Label: s.Name, Note: s.Handle, Href: "/company", Icon: icon, Words: words})
	}
	for _, u := range units {
		found = seatsFound(found, u.Seats, u.Children)
	}
	return found
}
