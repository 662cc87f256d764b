package tokens

import (
	"net/http"

	"crewlet/engine/identity"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
	view "crewlet/views/tokens"
)

// Revoke ends anybody's token.
func (h *Handlers) Revoke(w http.ResponseWriter, r *http.Request) error {
	in, call, err := web.Form[identity.RevokeToken](r)
	if err != nil {
		return err
	}
	in.Token = r.PathValue("token")
	if _, err := tool.Do(r.Context(), h.Run, h.Identity.RevokeToken, call, in); err != nil {
		return err
	}
	return web.SeeLanded(w, r, view.Programs, call.Key)
}
