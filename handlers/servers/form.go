package servers

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/web"

	view "crewlet/views/servers"
)

// typed is the form of a server as it is sent.
type typed struct {
	Name     string `json:"name"`
	Reach    string `json:"reach"` // command, http or sse
	Command  string `json:"command"`
	Args     string `json:"args"`
	Env      string `json:"env"`
	URL      string `json:"url"`
	Headers  string `json:"headers"`
	Seats    string `json:"seats"` // "each": one child per seat
	Include  string `json:"include"`
	Exclude  string `json:"exclude"`
	Optional string `json:"optional"`
	More     string `json:"more"` // the other keys of an entry, as YAML
	Summary  string `json:"summary"`
	Plain    bool   `json:"plain"` // a value that looks like a credential is none
	IfMatch  int64  `json:"if_match"`
}

func (in *typed) trim() {
	for _, text := range []*string{&in.Name, &in.Reach, &in.Command, &in.URL, &in.Summary} {
		*text = strings.TrimSpace(*text)
	}
}

// fromQuery is the form that a link fills in.
func fromQuery(q url.Values) typed {
	in := typed{
		Name: q.Get("name"), Reach: q.Get("reach"), Command: q.Get("command"), Args: q.Get("args"), Env: q.Get("env"),
		URL: q.Get("url"), Headers: q.Get("headers"),
	}
	if in.Reach == "" && in.URL != "" {
		in.Reach = view.ReachHTTP
	}
	return in
}

// declaration is the entry the form makes, and the values it gives the
// server, by the field they stand in.
type declaration struct {
	entry  json.RawMessage
	field  string // env or headers
	values map[string]string
}

// declaration makes an entry of the form. What is said of the way the server
// is not reached is left out.
func (in typed) declaration() (declaration, error) {
	entry, err := in.more()
	if err != nil {
		return declaration{}, err
	}
	d := declaration{field: "env"}
	if in.Reach == "" || in.Reach == view.ReachCommand {
		err = in.started(entry, &d)
	} else {
		d.field = "headers"
		err = in.reached(entry, &d)
	}
	if err != nil {
		return declaration{}, err
	}
	if in.Seats == view.EachSeat {
		entry["shared"] = false
	}
	set(entry, "optional_keys", lines(in.Optional))
	if err := in.filters(entry); err != nil {
		return declaration{}, err
	}
	if d.entry, err = json.Marshal(entry); err != nil {
		return declaration{}, fmt.Errorf("encode the entry: %w", err)
	}
	return d, nil
}

// more reads the keys that have no field of their own.
func (in typed) more() (map[string]any, error) {
	entry, err := company.ParsedEntry(in.More)
	if err != nil {
		return nil, refusal.Invalid.Say("These are no keys of a server. Write one a line, such as timeout: 30s.").On("more").For(err)
	}
	if entry == nil {
		entry = map[string]any{}
	}
	for _, key := range view.OwnFields() {
		if _, twice := entry[key]; twice {
			return nil, refusal.Invalid.Say("%s has a field of its own above; take it out here.", key).On("more")
		}
	}
	return entry, nil
}

// started is a server that is started by a command.
func (in typed) started(entry map[string]any, d *declaration) error {
	args, err := arguments(in.Args)
	if err != nil {
		return err
	}
	command := in.Command
	if len(args) == 0 {
		words, closed := split(command)
		if !closed {
			return openQuote("command")
		}
		if len(words) > 0 {
			command, args = words[0], words[1:]
		}
	}
	if command == "" {
		return refusal.Invalid.Say("A server needs a command, such as npx.").On("command")
	}
	if d.values, err = environment(in.Env); err != nil {
		return err
	}
	entry["command"] = command
	set(entry, "args", args)
	if len(d.values) > 0 {
		entry["env"] = d.values
	}
	return nil
}

// reached is a server that is reached at an address.
func (in typed) reached(entry map[string]any, d *declaration) error {
	if in.Reach != view.ReachHTTP && in.Reach != view.ReachSSE {
		return refusal.Invalid.Say("A server is reached by command, http or sse.").On("reach")
	}
	if in.URL == "" {
		return refusal.Invalid.Say("A server needs an address, such as https://mcp.example.com/mcp.").On("url")
	}
	var err error
	if d.values, err = headers(in.Headers); err != nil {
		return err
	}
	entry["url"] = in.URL
	if in.Reach == view.ReachSSE {
		entry["transport"] = view.ReachSSE
	}
	if len(d.values) > 0 {
		entry["headers"] = d.values
	}
	return nil
}

// filters are the lists of tools, among what else is said of tools.
func (in typed) filters(entry map[string]any) error {
	include, exclude := lines(in.Include), lines(in.Exclude)
	if len(include)+len(exclude) == 0 {
		return nil
	}
	tools, ok := entry["tools"].(map[string]any)
	if entry["tools"] != nil && !ok {
		return refusal.Invalid.Say("tools is a map, such as tools: {resources: false}.").On("more")
	}
	if tools == nil {
		tools = map[string]any{}
	}
	set(tools, "include", include)
	set(tools, "exclude", exclude)
	entry["tools"] = tools
	return nil
}

func set(entry map[string]any, key string, list []string) {
	if len(list) > 0 {
		entry[key] = list
	}
}

func lines(text string) []string {
	var list []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// credentials refuses a value that looks like one: what the document once held
// stays in its history.
func (d declaration) credentials(in typed) error {
	if u, err := url.Parse(in.URL); in.Plain || err == nil && u.User != nil {
		return nil // what stands before the @ belongs under headers, which the document's own rule says
	}
	where, err := company.Exposed(d.entry)
	if where == "" || err != nil {
		return err
	}
	field, name, _ := strings.Cut(where, ".")
	says := fmt.Sprintf("%s looks like a credential. A command line is passed as written: store it under Settings › Secrets "+
		"and give it as an environment variable, if the server reads one, or tick the box below if it is none.", strings.ToUpper(where[:1])+where[1:])
	if name != "" {
		says = fmt.Sprintf("The value of %s looks like a credential. Store it under Settings › Secrets and write ${%s} here, or tick the box below if it is none.",
			name, variable(name))
	}
	field, _, _ = strings.Cut(field, "[")
	no := refusal.Invalid.Say("%s", says).On(field).With("ask", true)
	if name != "" {
		no = no.With("secret", variable(name))
	}
	return no
}

// variable is the name a value of this key is stored under.
func variable(key string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, key)
}

// redrawn is the form that comes back with a refusal.
func redrawn(in typed, call *tool.Call, no *refusal.Refusal) view.Form {
	form := formOf(in)
	form.Key, form.Says, form.Sent = web.Again(call.Key, no, web.SentBefore)
	form.Fields, form.Redrawn = beside(no), true
	form.Ask = in.Plain || no.Details["ask"] == true
	if name, ok := no.Details["secret"].(string); ok {
		form.Needs = append(form.Needs, view.Need{Name: name, Says: "may hold the value that looks like a credential.", Make: true})
	}
	if len(form.Fields) == 1 && slices.Contains(slices.Collect(maps.Values(form.Fields)), no.Says) {
		form.Says = "" // it stands beside its field
	}
	return form
}

// formOf draws what is in the fields.
func formOf(in typed) view.Form {
	if in.Reach == "" {
		in.Reach = view.ReachCommand
	}
	return view.Form{
		Name: in.Name, Reach: in.Reach, Command: in.Command, Args: in.Args, Env: in.Env, URL: in.URL, Headers: in.Headers,
		Seats: in.Seats, Include: in.Include, Exclude: in.Exclude, Optional: in.Optional, More: in.More,
		Summary: in.Summary, Plain: in.Plain, IfMatch: in.IfMatch,
	}
}
