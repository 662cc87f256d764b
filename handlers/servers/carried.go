package servers

import (
	"net/http"
	"strconv"
	"strings"

	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/secrets"
	"crewlet/engine/tool"
	"crewlet/handlers/web"

	view "crewlet/views/servers"
)

// free is the name, or the first like it that is not taken.
func free(name string, taken map[string]bool) string {
	next := name
	for n := 2; taken[next]; n++ {
		next = name + "_" + strconv.Itoa(n)
	}
	return next
}

// store seals the values that came along with a pasted server, once it is sure
// that the server itself will be taken. What is refused then is refused again
// by the write itself, and told there.
func (h *Handlers) store(r *http.Request, call *tool.Call, put company.PutServer, came entry) error {
	if len(came.Secrets) == 0 {
		return nil
	}
	put.DryRun = true
	if _, err := tool.Do(r.Context(), h.Run, h.Company.PutServer, another(call, tool.NewKey()), put); refusal.Of(err) != nil {
		return nil
	}
	for _, s := range came.Secrets {
		if s.Value == "" || !strings.Contains(string(put.Entry), "${"+s.Name+"}") {
			continue
		}
		if _, err := tool.Do(r.Context(), h.Run, h.Secrets.Set, another(call, s.Key), secrets.SetSecret{Name: s.Name, Value: s.Value}); err != nil {
			return err
		}
	}
	return nil
}

// another is another call of the same caller.
func another(call *tool.Call, key string) *tool.Call {
	return &tool.Call{By: call.By, Key: key, Door: call.Door, RequestID: call.RequestID}
}

// pasted puts a form in its place among what was pasted.
func (h *Handlers) pasted(r *http.Request, form *view.Form, p pile) error {
	if len(p.Entries) == 0 {
		return nil
	}
	text, err := web.Sealed(r, pileField, p)
	if err != nil {
		return err
	}
	e := p.first()
	form.Pasted = &view.Pasted{Sealed: text, At: p.At, Of: p.Of, Homeless: e.Homeless, Notes: e.Notes}
	said := map[string]bool{}
	for _, s := range e.Secrets {
		if said[s.Name] = true; s.Value != "" {
			form.Needs = append(form.Needs, view.Need{Name: s.Name, Says: "will be stored as soon as this is added; its value came with what you pasted."})
		} else {
			form.Needs = append(form.Needs, view.Need{Name: s.Name, Says: "has no value yet.", Make: view.MakeSecret(s.Name, view.NewAddress)})
		}
	}
	return nil
}

// drawPasted draws the form of the first of what was pasted.
func (h *Handlers) drawPasted(w http.ResponseWriter, r *http.Request, p pile, landed, done string) error {
	form := formOf(p.first().Typed)
	form.Key, form.Landed, form.Done = tool.NewKey(), landed, done
	if err := h.pasted(r, &form, p); err != nil {
		return err
	}
	return h.drawNew(w, r, http.StatusOK, form)
}

func (h *Handlers) drawPaste(w http.ResponseWriter, r *http.Request, status int, page view.Paste) error {
	page.Shell = web.Shell(r, "Paste a configuration", "tools", 0)
	page.Shell.Crumbs = crumbs("")
	return web.Render(w, r, status, view.PastePage(page))
}
