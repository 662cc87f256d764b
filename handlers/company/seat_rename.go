package company

import (
	"net/http"

	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	"crewlet/views/layout"

	view "crewlet/views/company"
)

// RenameSeatForm draws the form that gives a seat another handle.
func (h *Handlers) RenameSeatForm(w http.ResponseWriter, r *http.Request) error {
	call := web.Call(r)
	if err := web.Offered(h.Company.RenameSeat.Access, call.By); err != nil {
		return err
	}
	out, err := tool.Do(r.Context(), h.Run, h.Company.GetCompany, call, company.GetCompany{})
	if err != nil {
		return err
	}
	handle := r.PathValue("handle")
	seat, ok := seatIn(out.Seats, out.Units, handle)
	if !ok {
		return refusal.NotFound.Say("There is no seat with the handle %s.", handle)
	}
	return drawRename(w, r, http.StatusOK, view.Rename{Key: tool.NewKey(), To: handle, Name: seat.Name})
}

func seatIn(seats []company.Seat, units []company.Unit, handle string) (company.Seat, bool) {
	for _, s := range seats {
		if s.Handle == handle {
			return s, true
		}
	}
	for _, u := range units {
		if s, ok := seatIn(u.Seats, u.Children, handle); ok {
			return s, true
		}
	}
	return company.Seat{}, false
}

// RenameSeat gives a seat another handle, everywhere it is named.
func (h *Handlers) RenameSeat(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[company.RenameSeat](r)
	if err != nil {
		return err
	}
	in.Handle = r.PathValue("handle")
	typed := in
	if in.Summary == "" {
		in.Summary = "Rename seat " + in.Handle + " to " + in.To
	}
	_, err = tool.Do(r.Context(), h.Run, h.Company.RenameSeat, call, in)
	if err == nil {
		return web.SeeLanded(w, r, view.RenamedAt(in.To), call.Key)
	}
	no := refusal.Of(err)
	if !no.Redraws() || no.Class == refusal.NoSuchEntity {
		return err
	}
	page := view.Rename{To: typed.To, Name: typed.Name, Summary: typed.Summary, Fields: no.Fields, Redrawn: true}
	page.Key, page.Says, page.Sent = web.Again(call.Key, no, web.SentBefore)
	for _, says := range no.Fields {
		if len(no.Fields) == 1 && says == no.Says {
			page.Says = "" // it stands beside its field
		}
	}
	return drawRename(w, r, web.FormStatus(no), page)
}

func drawRename(w http.ResponseWriter, r *http.Request, status int, page view.Rename) error {
	page.Handle, page.Shell = r.PathValue("handle"), web.Shell(r, "Rename "+r.PathValue("handle"), "company", 0)
	page.Shell.Crumbs = []layout.Crumb{{Label: "Company", Href: view.Address}}
	return web.Render(w, r, status, view.RenamePage(page))
}
