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
	return web.See(w, r, view.Address+"?reloaded=1")
}

// reloaded says what a reload does to each server as it stands: what runs is
// left alone unless a secret it is started with has changed.
func reloaded(list []servers.Server) string {
	var stay, tried []string
	for _, s := range list {
		switch s.State {
		case servers.Running:
			stay = append(stay, s.Name)
		case servers.Disabled, servers.NotReported:
		default:
			tried = append(tried, s.Name)
		}
	}
	says := "Every node applies the configuration again, with the secrets as they are now."
	if len(tried) > 0 {
		says += " Tried at once: " + strings.Join(tried, ", ") + "."
	}
	if len(stay) > 0 {
		says += " Left running, unless a secret they are started with has changed: " + strings.Join(stay, ", ") + "."
	}
	return says
}
