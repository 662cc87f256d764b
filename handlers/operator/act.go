package operator

import (
	"encoding/json"
	"mime"
	"net/http"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
)

// acted is what a write answers.
type acted struct {
	Tool     string          `json:"tool"`
	Outcome  string          `json:"outcome"`
	Position int64           `json:"position"`
	Key      string          `json:"op_id"`
	Receipt  json.RawMessage `json:"receipt"` // the tool's own answer
}

// Act answers POST /operator/act/{tool}: one write, under the caller's key.
func (h *Handlers) Act(w http.ResponseWriter, r *http.Request) error {
	t, err := h.find(r.PathValue("tool"))
	if err != nil {
		return err
	}
	c := web.Call(r)
	c.Door = "act"
	if !offered(t) {
		return h.run.NotOffered(r.Context(), t.Spec, c)
	}
	if !t.Writes() {
		return refusal.ReadOnlyTool.Say("%s is a read: GET %s%s.", t.Name, readAddress, t.Name)
	}
	args, err := sent(r, t, c)
	if err != nil {
		return h.run.Refuse(r.Context(), t.Spec, c, err)
	}
	answer, err := t.Do(r.Context(), h.run, c, args)
	if err != nil {
		return err
	}
	if c.Failed.Source != "" {
		return web.Refuse(w, r, failed(c))
	}
	return landed(w, r, t, c, answer)
}

// sent reads the arguments and the key, whichever way they came.
func sent(r *http.Request, t tool.Tool, c *tool.Call) (args json.RawMessage, err error) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch kind {
	case "application/x-www-form-urlencoded", "multipart/form-data":
		args, err = web.FormArguments(r, c, t.Arguments)
	case "application/json":
		args, err = wrapped(r)
	default:
		if r.ContentLength != 0 || r.Header.Get("Content-Type") != "" {
			return nil, refusal.WrongMediaType.Say("This address takes application/json, application/x-www-form-urlencoded or multipart/form-data.")
		}
	}
	if err != nil {
		return nil, err
	}
	if key := r.Header.Get("Idempotency-Key"); key != "" {
		if c.Key != "" && c.Key != key {
			return nil, refusal.OpIDInvalid.Say("The header Idempotency-Key and the form field _key hold two keys; send one.")
		}
		c.Key = key
	}
	_, err = tool.Keyed(c.Key)
	return args, err
}

// wrapped takes the arguments out of {"args": {…}}.
func wrapped(r *http.Request) (json.RawMessage, error) {
	body, err := web.Text(r)
	if err != nil {
		return nil, err
	}
	in, err := tool.Decode[struct {
		Args json.RawMessage `json:"args"`
	}](body)
	return in.Args, err
}

// landed answers a write that ended well. To htmx that is an event and nothing
// to draw: what shows the change asks for itself anew when it hears of it. A
// value that is shown once is answered whole to everybody.
func landed(w http.ResponseWriter, r *http.Request, t tool.Tool, c *tool.Call, answer json.RawMessage) error {
	out := acted{Tool: t.Name, Outcome: c.Landed.Outcome, Position: c.Landed.Position, Key: c.Key, Receipt: answer}
	if r.Header.Get("HX-Request") != "" {
		event, err := json.Marshal(map[string]acted{"crewlet:landed": {Tool: out.Tool, Outcome: out.Outcome, Position: out.Position, Key: out.Key}})
		if err != nil {
			return err
		}
		w.Header().Set("HX-Trigger", string(event))
		if !t.Once {
			w.WriteHeader(http.StatusNoContent)
			return nil
		}
	}
	return web.Answer(w, r, http.StatusOK, out)
}

// failed is another program's failure: not ours, and told in its own words.
func failed(c *tool.Call) *refusal.Refusal {
	return refusal.Internal.Say("%s failed this call; what it said is in server_said. Nothing of Crewlet's was wrong.", c.Failed.Source).
		With("source", c.Failed.Source).With("server_said", c.Failed.Said).With("op_id", c.Key)
}
