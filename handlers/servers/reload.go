package servers

import (
	"net/http"
	"strings"

	"crewlet/engine/company"
	"crewlet/engine/servers"
	"crewlet/engine/tool"
	"crewlet/handlers/web"

	view "crewlet/views/servers"
)

// Reload applies the same document again on every node, with the secrets as
// they are now.
func (h *Handlers) Reload(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[company.ReloadConfig](r)
	if err != nil {
		return err
	}
	if _, err := tool.Do(r.Context(), h.Run, h.Company.ReloadConfig, call, in); err != nil {
		return err
	}
	return web.See(w, r, view.ReloadedAt(call.Landed.Position))
}

// reloads are what each node did when it was asked to reload, in words.
func reloads(list []servers.Reload) []view.Reload {
	out := make([]view.Reload, len(list))
	for i, n := range list {
		out[i] = view.Reload{Node: n.Node, Done: n.Done, Says: obeyed(n)}
	}
	return out
}

func obeyed(n servers.Reload) string {
	switch {
	case !n.Done && n.Silent:
		return "It is not heard of; it applies the configuration when it is back."
	case !n.Done:
		return "It has not answered yet."
	}
	var says []string
	for _, did := range []struct {
		what  string
		names []string
	}{
		{"Restarted", n.Restarted}, {"Started", n.Started}, {"Tried again at once", n.Tried}, {"Stopped", n.Stopped},
		{"Held back", n.Held}, {"Left as they were", n.Stayed},
	} {
		if len(did.names) > 0 {
			says = append(says, did.what+": "+strings.Join(did.names, ", ")+".")
		}
	}
	if len(says) == 0 {
		return "There was nothing to do."
	}
	return strings.Join(says, " ")
}
