// Package company serves the Company page.
package company

import (
	"net/http"

	"crewlet/engine/access"
	"crewlet/engine/company"
	"crewlet/engine/tool"
	"crewlet/handlers/web"

	view "crewlet/views/company"
)

// Handlers serve the company as its document declares it.
type Handlers struct {
	Run     *tool.Runner
	Company *company.Company
}

// Show draws the company; asked for JSON, it answers the same facts.
func (h *Handlers) Show(w http.ResponseWriter, r *http.Request) error {
	call := web.Call(r)
	out, err := tool.Do(r.Context(), h.Run, h.Company.GetCompany, call, company.GetCompany{})
	if err != nil {
		return err
	}
	if web.WantsJSON(r) {
		return web.Answer(w, r, http.StatusOK, out)
	}
	may := web.May(h.Company.RenameSeat.Access, call.By)
	shown := view.Company{
		Name: out.Name, Mission: out.Mission, Vision: out.Vision, Timezone: out.Timezone,
		Units: unitsOf(out.Units, "", may), Seats: seatsOf(out.Seats, may), AsOf: call.Landed.Position,
		MayRead: web.May(access.Operator(access.ConfigRead), call.By),
	}
	if web.Partial(r) {
		return web.Render(w, r, http.StatusOK, view.CompanyPart(shown))
	}
	page := view.Page{Shell: web.Shell(r, "Company", "company", call.Landed.Position), Company: shown}
	if _, is := seatIn(out.Seats, out.Units, r.URL.Query().Get("renamed")); is {
		page.Shell.Done = "The seat is called " + r.URL.Query().Get("renamed") + " now, everywhere."
	}
	return web.Render(w, r, http.StatusOK, view.CompanyPage(page))
}

func unitsOf(units []company.Unit, around string, may bool) []view.Unit {
	out := make([]view.Unit, len(units))
	for i, u := range units {
		path := around + u.Name
		out[i] = view.Unit{
			Name: u.Name, Path: path, Type: u.Type, Purpose: u.Purpose, Goals: u.Goals, Project: u.Project,
			Seats: seatsOf(u.Seats, may), Children: unitsOf(u.Children, path+" › ", may),
		}
	}
	return out
}

func seatsOf(seats []company.Seat, may bool) []view.Seat {
	out := make([]view.Seat, len(seats))
	for i, s := range seats {
		out[i] = view.Seat{Handle: s.Handle, Name: s.Name, Agent: s.Kind == "agent", Leads: s.Leads, Goal: s.Goal, May: may}
		if s.Holder != nil {
			out[i].Holder, out[i].Login = s.Holder.Name, s.Holder.Login
		}
	}
	return out
}
