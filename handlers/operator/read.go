package operator

import (
	"encoding/json"
	"net/http"

	"crewlet/engine/refusal"
	"crewlet/handlers/web"
)

// looked is what a read answers.
type looked struct {
	Tool    string          `json:"tool"`
	AsOf    int64           `json:"as_of"` // the position it was read at
	Receipt json.RawMessage `json:"receipt"`
}

// Read answers GET /api/v1/tools/{tool}: one read, its arguments in the query.
func (h *Handlers) Read(w http.ResponseWriter, r *http.Request) error {
	t, err := h.find(r.PathValue("tool"))
	if err != nil {
		return err
	}
	c := web.Call(r)
	if !offered(t) {
		return h.run.NotOffered(r.Context(), t.Spec, c)
	}
	if t.Writes() {
		return refusal.NotFound.Say("%s is no read: POST %s%s.", t.Name, actAddress, t.Name)
	}
	args, err := web.QueryArguments(r, t.Arguments)
	if err != nil {
		return err
	}
	answer, err := t.Do(r.Context(), h.run, c, args)
	if err != nil {
		return err
	}
	return web.Answer(w, r, http.StatusOK, looked{Tool: t.Name, AsOf: c.Landed.Position, Receipt: answer})
}
