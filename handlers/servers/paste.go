package servers

import (
	"net/http"
	"strings"

	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/secrets"
	"crewlet/engine/tool"
	"crewlet/handlers/web"

	view "crewlet/views/servers"
)

// pileField carries what was pasted and is not added yet, sealed.
const pileField = "_pile"

// pile is what was pasted: one form after the other is made of it.
type pile struct {
	At, Of  int // the first entry is the At-th of all
	Entries []entry
}

// entry is one server of a pile. Its values are kept out of every page.
type entry struct {
	Typed    typed
	Secrets  []carried
	Homeless []string
	Notes    []string
}

// carried is a value to be stored under a name, and the key of that write.
type carried struct{ Name, Value, Key string }

func (p pile) first() entry {
	if len(p.Entries) == 0 {
		return entry{}
	}
	return p.Entries[0]
}

func (p pile) rest() pile {
	if len(p.Entries) == 0 {
		return pile{}
	}
	return pile{At: p.At + 1, Of: p.Of, Entries: p.Entries[1:]}
}

// pileOf reads the pile a form carries; most carry none.
func pileOf(r *http.Request) (pile, error) {
	var p pile
	text := r.PostForm.Get(pileField)
	if text == "" {
		return p, nil
	}
	return p, web.Unsealed(r, pileField, text, &p)
}

// PasteForm takes another program's configuration.
func (h *Handlers) PasteForm(w http.ResponseWriter, r *http.Request) error {
	if err := web.Offered(h.Company.PutServer.Access, web.Call(r).By); err != nil {
		return err
	}
	return h.drawPaste(w, r, http.StatusOK, view.Paste{})
}

// Paste reads it and draws the first server's form; sent from such a form, it
// goes on to the next.
func (h *Handlers) Paste(w http.ResponseWriter, r *http.Request) error {
	if err := web.Offered(h.Company.PutServer.Access, web.Call(r).By); err != nil {
		return err
	}
	values, err := web.Values(r)
	if err != nil {
		return err
	}
	if values.Get(pileField) != "" {
		p, err := pileOf(r)
		if err != nil {
			return err
		}
		if p = p.rest(); len(p.Entries) == 0 {
			return web.See(w, r, view.Address)
		}
		return h.drawPasted(w, r, p, "", "")
	}
	p, err := h.read(r, values.Get("text"))
	if no := refusal.Of(err); err != nil && no.Redraws() {
		return h.drawPaste(w, r, no.Status(), view.Paste{Text: values.Get("text"), Error: no.Says})
	}
	if err != nil {
		return err
	}
	return h.drawPasted(w, r, p, "", "")
}

// read makes a pile of what was pasted. A value whose name is taken gets
// another one: what is stored under it is somebody else's.
func (h *Handlers) read(r *http.Request, text string) (pile, error) {
	if strings.TrimSpace(text) == "" {
		return pile{}, refusal.Invalid.Say("Paste a configuration, such as {\"mcpServers\": {…}}.").On("text")
	}
	found, err := company.Pasted(text)
	if err != nil {
		return pile{}, err
	}
	stored, err := h.stored(r)
	if err != nil {
		return pile{}, err
	}
	p := pile{At: 1, Of: len(found)}
	for _, in := range found {
		e := entry{Homeless: in.Homeless, Notes: in.Notes}
		if e.Typed, err = typedOf(in.Name, in.Entry); err != nil {
			return pile{}, err
		}
		if !e.Typed.holds(in.Entry) {
			e.Notes = append(e.Notes, "A value here is written so that this form may not hold it as it was; look closely.")
		}
		for _, s := range in.Secrets {
			name := s.Name
			if s.Value != "" {
				name = free(name, stored)
				stored[name] = true
			}
			e.Typed.rename(s.Name, name)
			e.Secrets = append(e.Secrets, carried{Name: name, Value: s.Value, Key: tool.NewKey()})
		}
		p.Entries = append(p.Entries, e)
	}
	return p, nil
}

// rename writes another reference wherever one stands.
func (in *typed) rename(from, to string) {
	if from == to {
		return
	}
	for _, text := range []*string{&in.Env, &in.Headers, &in.URL, &in.More} {
		*text = strings.ReplaceAll(*text, "${"+from+"}", "${"+to+"}")
	}
}

// stored is the names that are taken, as far as this caller may know them.
func (h *Handlers) stored(r *http.Request) (map[string]bool, error) {
	names := map[string]bool{}
	out, err := tool.Do(r.Context(), h.Run, h.Secrets.List, web.Call(r), secrets.ListSecrets{})
	if refusal.Is(err, refusal.Forbidden) {
		return names, nil
	}
	for _, s := range out.Secrets {
		names[s.Name] = true
	}
	return names, err
}
