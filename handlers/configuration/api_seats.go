package configuration

import (
	"net/http"

	"crewlet/engine/company"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
)

// seatRenaming is the body of a seat's rename.
type seatRenaming struct {
	To   string `json:"to"`
	Name string `json:"name,omitempty"`
}

// RenameSeat answers POST /config/seats/{handle}/rename with a body
// {"to": "new-handle", "name": "New name"}; the name is kept when left out.
func (h *Handlers) RenameSeat(w http.ResponseWriter, r *http.Request) error {
	writing, err := writingOf(r)
	if err != nil {
		return err
	}
	body, err := jsonBody(r)
	if err != nil {
		return err
	}
	sent, err := tool.Decode[seatRenaming](body)
	if err != nil {
		return err
	}
	in := company.RenameSeat{Handle: r.PathValue("handle"), To: sent.To, Name: sent.Name, Writing: writing}
	out, err := tool.Do(r.Context(), h.Run, h.Company.RenameSeat, web.APICall(r), in)
	return written(w, r, out, err)
}
