package servers

import (
	"net/http"
	"net/url"
	"strings"

	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/web"

	view "crewlet/views/servers"
)

// New draws the form; ?preset= fills it in with a well-known server, and
// ?name=, ?command=, ?args=, ?env=, ?url= and ?headers= with anything.
func (h *Handlers) New(w http.ResponseWriter, r *http.Request) error {
	if err := web.Offered(h.Company.PutServer.Access, web.Call(r).By); err != nil {
		return err
	}
	q := r.URL.Query()
	in, needs, err := h.prefilled(r, q)
	if err != nil {
		return err
	}
	form := formOf(in)
	form.Key, form.Preset = tool.NewKey(), q.Get("preset")
	if err := h.needed(r, &form, needs); err != nil {
		return err
	}
	return h.drawNew(w, r, http.StatusOK, form)
}

// Add declares the server: the same write as PUT /config/mcp-servers/{name}.
func (h *Handlers) Add(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[typed](r)
	if err != nil {
		return err
	}
	in.trim()
	pile, err := pileOf(r)
	if err != nil {
		return err
	}
	if err = h.add(r, call, in, pile.first()); err == nil {
		return h.added(w, r, call, in.Name, pile)
	}
	no := refusal.Of(err)
	if !no.Redraws() {
		return err
	}
	form := redrawn(in, call, no)
	if err := h.pasted(r, &form, pile); err != nil {
		return err
	}
	return h.drawNew(w, r, web.FormStatus(no), form)
}

// add translates the form and declares what it says, the values that came
// along stored first: the document never names what is on its way.
func (h *Handlers) add(r *http.Request, call *tool.Call, in typed, came entry) error {
	d, err := in.declaration()
	if err != nil {
		return err
	}
	if err := d.credentials(in); err != nil {
		return err
	}
	put := company.PutServer{Name: in.Name, Entry: d.entry, Create: true, Writing: company.Writing{Summary: in.Summary}}
	if in.Summary == "" {
		put.Summary = "Add server " + in.Name
	}
	if put.Entry, err = h.store(r, call, put, came); err != nil {
		return err
	}
	_, err = tool.Do(r.Context(), h.Run, h.Company.PutServer, call, put)
	if !sentBefore(err) || len(came.Secrets) == 0 {
		return err
	}
	// It landed, perhaps with other names for the values that came along.
	if put.Entry, err = h.kept(r, call, d.entry, came); err != nil {
		return err
	}
	_, err = tool.Do(r.Context(), h.Run, h.Company.PutServer, call, put)
	return err
}

// sentBefore reports whether a form's key has landed, with something else.
func sentBefore(err error) bool {
	return refusal.Of(err).KeyTaken()
}

// added goes on: to the next of what was pasted, or to the list.
func (h *Handlers) added(w http.ResponseWriter, r *http.Request, call *tool.Call, name string, pile pile) error {
	if next := pile.rest(); len(next.Entries) > 0 {
		return h.drawPasted(w, r, next, call.Key, "The server "+name+" is saved.")
	}
	return web.SeeLanded(w, r, view.Address+"?added="+url.QueryEscape(name), call.Key)
}

// mayMake reports whether this viewer may store secrets.
func (h *Handlers) mayMake(r *http.Request) bool {
	return web.May(h.Secrets.Set.Access, web.ViewerOf(r).By)
}

// drawNew draws the form that adds a server. What somebody typed is kept apart
// for each address that fills it in; what was pasted is not kept.
func (h *Handlers) drawNew(w http.ResponseWriter, r *http.Request, status int, form view.Form) error {
	form.Action, form.TryAction, form.New, form.Here = view.NewAddress, view.NewAddress+"/try", true, view.NewAddress
	form.MayMake = h.mayMake(r)
	if r.Method == http.MethodGet {
		form.Here = r.URL.RequestURI()
	}
	if form.Pasted == nil {
		form.Draft = "server-new" + r.PostForm.Get("_from") + r.URL.RawQuery
		form.From = strings.TrimPrefix(form.Draft, "server-new")
	}
	list, err := presets(form.Preset)
	if err != nil {
		return err
	}
	page := view.New{Shell: web.Shell(r, "Add a server", "tools", 0), Form: form, Presets: list}
	page.Shell.Crumbs, page.Shell.Landed, page.Shell.Done = crumbs(""), form.Landed, form.Done
	return web.Render(w, r, status, view.NewPage(page))
}
