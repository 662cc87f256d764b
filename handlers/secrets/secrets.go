// Package secrets serves Settings › Secrets for people and /secrets for
// programs. Neither ever answers a value.
package secrets

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"crewlet/engine/refusal"
	"crewlet/engine/secrets"
	"crewlet/engine/tool"
	"crewlet/handlers/web"

	view "crewlet/views/secrets"
)

// Handlers serve the secrets' names and take their values.
type Handlers struct {
	Run     *tool.Runner
	Secrets *secrets.Secrets
}

// makePart is the part of the page that stores one secret over another page.
const makePart = "make"

// List draws the names; ?name= fills in the form for one that is missing, and
// ?next= is where storing it leads back to.
func (h *Handlers) List(w http.ResponseWriter, r *http.Request) error {
	if web.Partial(r) && r.URL.Query().Get("part") == makePart {
		return h.make(w, r)
	}
	page, err := h.page(r)
	if err != nil {
		return err
	}
	if web.Partial(r) {
		return web.Render(w, r, http.StatusOK, view.ListPart(page.List))
	}
	query := r.URL.Query()
	page.Store.Name, page.Store.Next = query.Get("name"), next(query.Get("next"))
	page.Shell.Done = done(query, page.List)
	return web.Render(w, r, http.StatusOK, view.SecretsPage(page))
}

func (h *Handlers) make(w http.ResponseWriter, r *http.Request) error {
	if err := web.Offered(h.Secrets.Set.Access, web.Call(r).By); err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.MakePart(view.Store{Key: tool.NewKey(), Name: r.URL.Query().Get("name")}))
}

// done says what the write that led here did. An address cannot make it say
// what is not so.
func done(query url.Values, list view.List) string {
	stored, deleted := query.Get("stored"), query.Get("deleted")
	is := func(name string) bool {
		return slices.ContainsFunc(list.Secrets, func(s view.Secret) bool { return s.Name == name })
	}
	switch {
	case stored != "" && is(stored):
		return "The secret " + stored + " is stored."
	case deleted != "" && !is(deleted):
		return "The secret is deleted."
	}
	return ""
}

func (h *Handlers) page(r *http.Request) (view.Page, error) {
	call := web.Call(r)
	out, err := tool.Do(r.Context(), h.Run, h.Secrets.List, call, secrets.ListSecrets{})
	if err != nil {
		return view.Page{}, err
	}
	list := view.List{May: web.May(h.Secrets.Set.Access, call.By), AsOf: call.Landed.Position, Now: call.Now}
	for _, s := range out.Secrets {
		list.Secrets = append(list.Secrets, view.Secret{
			Name: s.Name, Hosts: s.Hosts, By: s.SetBy, At: s.SetAt, References: s.References, Key: tool.NewKey(),
		})
	}
	for _, m := range out.Missing {
		list.Missing = append(list.Missing, view.Missing{Name: m.Name, References: m.References})
	}
	return view.Page{
		Shell: web.Shell(r, "Secrets", "secrets", call.Landed.Position),
		List:  list,
		Store: view.Store{Key: tool.NewKey()},
	}, nil
}

// Store seals a value. A refused form comes back with everything but the
// value.
func (h *Handlers) Store(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[secrets.SetSecret](r)
	if err != nil {
		return err
	}
	in.Value = pasted(in.Value)
	_, err = tool.Do(r.Context(), h.Run, h.Secrets.Set, call, in)
	back := next(r.PostForm.Get("_next"))
	if err == nil && back != "" {
		return web.SeeLanded(w, r, back, call.Key)
	}
	if err == nil {
		return web.SeeLanded(w, r, view.Address+"?stored="+url.QueryEscape(in.Name), call.Key)
	}
	no := refusal.Of(err)
	if !no.Redraws() {
		return err
	}
	store := redrawn(in, call, no)
	if web.Partial(r) { // the value is still there, in the page this is put over
		return web.Render(w, r, no.Status(), view.MakePart(store))
	}
	page, err := h.page(r)
	if err != nil {
		return err
	}
	page.Store, page.Store.Next = store, back
	if store.Sent == "" && no.Fields["value"] == "" {
		page.Store.Says += " Type the value again: it is never sent back."
	}
	return web.Render(w, r, no.Status(), view.SecretsPage(page))
}

// redrawn is the form that comes back with a refusal, and without the value.
func redrawn(in secrets.SetSecret, call *tool.Call, no *refusal.Refusal) view.Store {
	store := view.Store{
		Name: in.Name, Hosts: strings.Join(in.Hosts, "\n"), Fields: no.Fields, Redrawn: true,
	}
	store.Key, store.Says, store.Sent = web.Again(call.Key, no, "This form was already sent with other text, and that was stored. Type the value again to store it as it is below.")
	return store
}

// next is a page of ours to go on to; "" for none.
func next(path string) string {
	if path = web.LocalPath(path); path == "/" {
		return ""
	}
	return path
}

// Delete takes a value away; while something uses it, it asks once more.
func (h *Handlers) Delete(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[secrets.DeleteSecret](r)
	if err != nil {
		return err
	}
	in.Name = r.PathValue("name")
	_, err = tool.Do(r.Context(), h.Run, h.Secrets.Delete, call, in)
	if err == nil {
		return web.SeeLanded(w, r, view.Address+"?deleted="+url.QueryEscape(in.Name), call.Key)
	}
	no := refusal.Of(err)
	if no.Class != refusal.StillReferenced {
		return err
	}
	page, err := h.page(r)
	if err != nil {
		return err
	}
	references, _ := no.Details["references"].([]string)
	page.Delete = &view.Delete{Key: tool.NewKey(), Name: in.Name, Says: no.Says, References: references}
	return web.Render(w, r, no.Status(), view.SecretsPage(page))
}

// pasted undoes what a browser does to text of several lines: it ends each with
// CRLF. One line break at the end is left out, as the command does.
func pasted(value string) string {
	value = strings.ReplaceAll(value, "\r\n", "\n")
	return strings.TrimSuffix(value, "\n")
}
