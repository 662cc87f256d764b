package servers

import (
	"net/http"
	"net/url"

	"crewlet/engine/company"
	"crewlet/engine/refusal"

	view "crewlet/views/servers"
)

// prefilled is the form that an address fills in: with a preset, and over it
// whatever else it says.
func (h *Handlers) prefilled(r *http.Request, q url.Values) (typed, []company.IntakeSecret, error) {
	chosen := q.Get("preset")
	if chosen == "" {
		return fromQuery(q), nil, nil
	}
	list, err := company.Presets()
	if err != nil {
		return typed{}, nil, err
	}
	for _, p := range list {
		if p.Name == chosen {
			in, err := typedOf(p.Name, p.Entry)
			return in, p.Secrets, err
		}
	}
	return typed{}, nil, refusal.NotFound.Say("There is no preset %s.", chosen)
}

// needed says of each secret of a preset whether it is there.
func (h *Handlers) needed(r *http.Request, form *view.Form, names []company.IntakeSecret) error {
	if len(names) == 0 {
		return nil
	}
	stored, err := h.stored(r)
	if err != nil {
		return err
	}
	for _, s := range names {
		need := view.Need{Name: s.Name, Says: "is stored."}
		if !stored[s.Name] {
			need.Says, need.Make = "is not stored yet.", true
		}
		form.Needs = append(form.Needs, need)
	}
	return nil
}

func presets(chosen string) ([]view.Preset, error) {
	list, err := company.Presets()
	if err != nil {
		return nil, err
	}
	out := make([]view.Preset, len(list))
	for i, p := range list {
		out[i] = view.Preset{Name: p.Name, Title: p.Title, Brief: p.Brief, Needs: p.Needs, Chosen: p.Name == chosen}
	}
	return out, nil
}
