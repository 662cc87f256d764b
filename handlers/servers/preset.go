package servers

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

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
			in, err := overPreset(p, q)
			return in, p.Secrets, err
		}
	}
	return typed{}, nil, refusal.NotFound.Say("There is no preset %s.", chosen)
}

// overPreset is a preset with what an address says beside it laid over it.
func overPreset(p company.Intake, q url.Values) (typed, error) {
	in, err := typedOf(p.Name, p.Entry)
	if err != nil {
		return typed{}, err
	}
	said := fromQuery(q)
	if said.Name != "" {
		in.Name = said.Name
	}
	switch {
	case said.URL != "":
		in.Reach, in.URL, in.Command, in.Args, in.Env = said.Reach, said.URL, "", "", ""
	case said.Command != "":
		in.Reach, in.Command, in.Args, in.URL, in.Headers = view.ReachCommand, said.Command, said.Args, "", ""
	case said.Args != "" && in.Command != "":
		own, err := arguments(said.Args)
		if err != nil {
			return typed{}, err
		}
		in.Args = argumentLines(append(texts(p.Entry["args"])[:p.Launch:p.Launch], own...))
	}
	if in.Env, err = overLines(in.Env, said.Env, "=", environment); err != nil {
		return typed{}, err
	}
	in.Headers, err = overLines(in.Headers, said.Headers, ": ", headers)
	return in, err
}

// overLines lays lines over others by their names.
func overLines(under, over, between string, read func(string) (map[string]string, error)) (string, error) {
	if over == "" {
		return under, nil
	}
	all := map[string]any{}
	for _, text := range []string{under, over} {
		values, err := read(text)
		if err != nil {
			return "", err
		}
		for name, value := range values {
			all[name] = value
		}
	}
	return pairs(all, between), nil
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

// exampleOf is what of a preset's arguments is meant to be typed over.
func exampleOf(p company.Intake) string {
	return strings.Join(texts(p.Entry["args"])[min(p.Launch, len(texts(p.Entry["args"]))):], " ")
}

func presets(chosen string) ([]view.Preset, error) {
	list, err := company.Presets()
	if err != nil {
		return nil, err
	}
	out := make([]view.Preset, len(list))
	for i, p := range list {
		out[i] = view.Preset{Name: p.Name, Title: p.Title, Brief: p.Brief, Needs: p.Needs, Chosen: p.Name == chosen, Launch: exampleOf(p)}
		if p.Name == chosen && len(p.SeatEnv) > 0 {
			for _, key := range slices.Sorted(maps.Keys(p.SeatEnv)) {
				out[i].Seat = append(out[i].Seat, key+": "+p.SeatEnv[key])
			}
		}
	}
	return out, nil
}
