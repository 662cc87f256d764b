package servers

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/servers"
	"crewlet/engine/tool"
	"crewlet/handlers/web"

	view "crewlet/views/servers"
)

// typed is the form as it is sent.
type typed struct {
	Name    string `json:"name"`
	Command string `json:"command"`
	Args    string `json:"args"`
	Env     string `json:"env"`
	Summary string `json:"summary"`
	Plain   bool   `json:"plain"` // a value that looks like a credential is none
}

// New draws the form; ?name=, ?command=, ?args= and ?env= fill it in.
func (h *Handlers) New(w http.ResponseWriter, r *http.Request) error {
	if err := offered(h.Company.PutServer.Access, web.Call(r).By); err != nil {
		return err
	}
	q := r.URL.Query()
	in := typed{Name: q.Get("name"), Command: q.Get("command"), Args: q.Get("args"), Env: q.Get("env")}
	return h.draw(w, r, http.StatusOK, view.New{Key: tool.NewKey()}, in)
}

// Add declares the server: the same write as PUT /config/mcp-servers/{name}.
func (h *Handlers) Add(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[typed](r)
	if err != nil {
		return err
	}
	in.Name, in.Command = strings.TrimSpace(in.Name), strings.TrimSpace(in.Command)
	ask, err := h.add(r, call, in)
	if err == nil {
		return web.SeeLanded(w, r, view.Address+"?added="+url.QueryEscape(in.Name), call.Key)
	}
	no := refusal.Of(err)
	if !no.Redraws() {
		return err
	}
	form := view.New{Key: call.Key, Says: no.Says, Fields: beside(no), Ask: ask || in.Plain, Redrawn: true}
	if len(form.Fields) == 1 && slices.Contains(slices.Collect(maps.Values(form.Fields)), no.Says) {
		form.Says = "" // it stands beside its field
	}
	if no.Class == refusal.Conflict && no.Details["op_id"] != nil {
		form.Key, form.Says = tool.NewKey(), ""
		form.Sent = "This form was already sent with other text, and that was saved. Send it again to add what it says now."
	}
	return h.draw(w, r, no.Status(), form, in)
}

// add translates the form and declares what it says. It asks first when a
// value looks like a credential: what the document once held stays in its
// history.
func (h *Handlers) add(r *http.Request, call *tool.Call, in typed) (ask bool, err error) {
	entry, env, err := in.entry()
	if err != nil {
		return false, err
	}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if !in.Plain && servers.LooksLikeCredential(name, env[name]) {
			return true, refusal.Invalid.Say(
				"The value of %s looks like a credential. Store it under Settings › Secrets and write ${%s} here, or tick the box below if it is none.", name, name).On("env")
		}
	}
	put := company.PutServer{Name: in.Name, Entry: entry, Create: true, Writing: company.Writing{Summary: in.Summary}}
	if strings.TrimSpace(in.Summary) == "" {
		put.Summary = "Add server " + in.Name
	}
	_, err = tool.Do(r.Context(), h.Run, h.Company.PutServer, call, put)
	return false, err
}

// entry is the declaration the form makes, its keys in the order people write
// them in.
func (in typed) entry() (json.RawMessage, map[string]string, error) {
	args, err := arguments(in.Args)
	if err != nil {
		return nil, nil, err
	}
	command := in.Command
	if len(args) == 0 {
		words, closed := split(command)
		if !closed {
			return nil, nil, openQuote("command")
		}
		if len(words) > 0 {
			command, args = words[0], words[1:]
		}
	}
	if command == "" {
		return nil, nil, refusal.Invalid.Say("A server needs a command, such as npx.").On("command")
	}
	env, err := environment(in.Env)
	if err != nil {
		return nil, nil, err
	}
	text, err := json.Marshal(struct {
		Command string            `json:"command"`
		Args    []string          `json:"args,omitempty"`
		Env     map[string]string `json:"env,omitempty"`
	}{command, args, env})
	if err != nil {
		return nil, nil, fmt.Errorf("encode the entry: %w", err)
	}
	return text, env, nil
}

// beside puts each sentence about the entry beside the field it came from:
// args[2] and env.TOKEN beside their fields, the entry as a whole beside the
// command.
func beside(no *refusal.Refusal) map[string]string {
	fields := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(no.Fields)) {
		says := no.Fields[name]
		field := name[:len(name)-len(strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz_"))]
		switch field {
		case "name", "command", "args", "env", "summary":
		default:
			field = "command"
		}
		if field == "env" && name != "env" {
			says = strings.TrimPrefix(name, "env.") + ": " + says
		}
		if before := fields[field]; before != "" {
			says = before + " " + says
		}
		fields[field] = says
	}
	return fields
}

func (h *Handlers) draw(w http.ResponseWriter, r *http.Request, status int, form view.New, in typed) error {
	form.Shell = web.Shell(r, "Add a server", "tools", 0)
	form.Shell.Crumbs = crumbs()
	form.Name, form.Command, form.Args, form.Env = in.Name, in.Command, in.Args, in.Env
	form.Summary, form.Plain = in.Summary, in.Plain
	return web.Render(w, r, status, view.NewPage(form))
}
