package servers

import (
	"fmt"
	"net/http"

	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/servers"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
)

// GetDeclared answers GET /config/mcp-servers/{name}: the entry as JSON, to be
// changed and put back under its ETag, the number of the revision.
func (h *Handlers) GetDeclared(w http.ResponseWriter, r *http.Request) error {
	now, err := tool.Do(r.Context(), h.Run, h.Company.GetConfig, web.Call(r), company.GetConfig{})
	if err != nil {
		return err
	}
	entry, there, err := company.Declared(now.Text, r.PathValue("name"))
	if err != nil {
		return err
	}
	if !there {
		return refusal.NoSuchEntity.Say("No server of this name is declared.")
	}
	w.Header().Set("ETag", fmt.Sprintf("%q", fmt.Sprint(now.ID)))
	return web.Answer(w, r, http.StatusOK, entry)
}

// RestartNow answers POST /config/mcp-servers/{name}/restart.
func (h *Handlers) RestartNow(w http.ResponseWriter, r *http.Request) error {
	out, err := tool.Do(r.Context(), h.Run, h.Servers.Restart, web.APICall(r), servers.RestartServer{Name: r.PathValue("name")})
	if err != nil {
		return err
	}
	return web.Answer(w, r, http.StatusOK, out)
}

// CheckNow answers POST /config/mcp-servers/{name}/check.
func (h *Handlers) CheckNow(w http.ResponseWriter, r *http.Request) error {
	out, err := tool.Do(r.Context(), h.Run, h.Servers.Check, web.APICall(r), servers.CheckServer{Name: r.PathValue("name")})
	if err != nil {
		return err
	}
	return web.Answer(w, r, http.StatusOK, out)
}
