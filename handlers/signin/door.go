package signin

import (
	"context"

	"crewlet/engine/identity"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
)

// Session says whose a browser session is, as web.Door asks it.
func (h *Handlers) Session(ctx context.Context, id string) (web.Viewer, error) {
	s, err := h.Identity.Session(ctx, id)
	if err != nil {
		return web.Viewer{}, err
	}
	return web.Viewer{By: s.Principal, Name: s.Name, Login: s.Principal.Name, Session: s.Session}, nil
}

// Confirm checks a password typed again, as web.Door asks it.
func (h *Handlers) Confirm(ctx context.Context, c *tool.Call, password string) error {
	_, err := tool.Do(ctx, h.Run, h.Identity.ConfirmPassword, c, identity.ConfirmPassword{Password: password})
	return err
}
