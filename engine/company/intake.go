package company

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"crewlet/config/paste"
	"crewlet/config/preset"
	"crewlet/engine/refusal"
)

// Intake is a server that is not declared yet: out of another program's
// configuration, or one that many use.
type Intake struct {
	Name  string
	Entry map[string]any // as a document would declare it
	// Secrets are what it refers to, with the values that came along.
	Secrets []IntakeSecret
	// Homeless are keys that mean nothing here; Notes say what was understood
	// otherwise than it was written.
	Homeless, Notes []string
	// Title, Brief and Needs are a preset's: what must be on PATH.
	Title, Brief, Needs string
	// Launch is how many of a preset's arguments start its program; those after
	// them are an example. SeatEnv is what each seat gives, for a seat called
	// ana.
	Launch  int
	SeatEnv map[string]string
}

// IntakeSecret is a value to be stored under a name; "" when none came along.
type IntakeSecret struct{ Name, Value string }

// Pasted reads another program's configuration.
func Pasted(text string) ([]Intake, error) {
	entries, err := paste.Read([]byte(text))
	if err != nil {
		return nil, refusal.Invalid.Say("%s", capital(err.Error())).On("text")
	}
	list := make([]Intake, len(entries))
	for i, e := range entries {
		in := Intake{Name: e.Name, Homeless: e.Homeless, Notes: e.Notes}
		for _, s := range e.Secrets {
			in.Secrets = append(in.Secrets, IntakeSecret{Name: s.Name, Value: s.Value})
		}
		if in.Entry, err = Declaration(e.Server); err != nil {
			return nil, refusal.Invalid.Say("%s cannot be taken over: %s.", e.Name, err).On("text")
		}
		list[i] = in
	}
	return list, nil
}

// Presets are servers that many use.
func Presets() ([]Intake, error) {
	var list []Intake
	for _, p := range preset.List() {
		entry, err := Declaration(p.Server)
		if err != nil {
			return nil, err
		}
		in := Intake{Name: p.Name, Entry: entry, Title: p.Title, Brief: p.Brief, Needs: p.Needs, Launch: p.Launch, SeatEnv: p.SeatEnv("ana")}
		for _, name := range p.Secrets {
			in.Secrets = append(in.Secrets, IntakeSecret{Name: name})
		}
		list = append(list, in)
	}
	return list, nil
}

// Exposed names the first value of an entry that looks like a credential and is
// written out, where everybody who reads the document sees it: "env.TOKEN",
// "headers.X-Api-Key", "command", "args[2]" or "url.token"; "" when none does.
func Exposed(entry json.RawMessage) (string, error) {
	var in struct {
		Command string            `json:"command"`
		Args    []string          `json:"args"`
		URL     string            `json:"url"`
		Env     map[string]string `json:"env"`
		Headers map[string]string `json:"headers"`
	}
	if err := json.Unmarshal(entry, &in); err != nil {
		return "", fmt.Errorf("read the entry: %w", err)
	}
	for _, values := range []struct {
		key string
		of  map[string]string
	}{{"env", in.Env}, {"headers", in.Headers}} {
		for _, name := range slices.Sorted(maps.Keys(values.of)) {
			if value := values.of[name]; value != "" && paste.IsCredential(name, value) {
				return values.key + "." + name, nil
			}
		}
	}
	if at := paste.InCommand(in.Command, in.Args); at == 0 {
		return "command", nil
	} else if at > 0 {
		return fmt.Sprintf("args[%d]", at-1), nil
	}
	if name := paste.InAddress(in.URL); name != "" {
		return "url." + name, nil
	}
	return "", nil
}
