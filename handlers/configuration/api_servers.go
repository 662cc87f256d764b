package configuration

import (
	"net/http"

	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
)

// PutServer answers PUT /config/mcp-servers/{name}: If-None-Match: * declares
// a new one, If-Match replaces one.
func (h *Handlers) PutServer(w http.ResponseWriter, r *http.Request) error {
	writing, err := writingOf(r)
	if err != nil {
		return err
	}
	entry, err := jsonBody(r)
	if err != nil {
		return err
	}
	in := company.PutServer{Name: r.PathValue("name"), Entry: entry, Writing: writing}
	switch r.Header.Get("If-None-Match") {
	case "":
	case "*":
		in.Create = true
	default:
		return refusal.Malformed.Say("If-None-Match is * here, to declare a new server, or is left out.")
	}
	out, err := tool.Do(r.Context(), h.Run, h.Company.PutServer, web.APICall(r), in)
	return written(w, r, out, err)
}

// DeleteServer answers DELETE /config/mcp-servers/{name}?with_references=true.
// Without If-Match the newest revision is edited; with it, it must be that one.
func (h *Handlers) DeleteServer(w http.ResponseWriter, r *http.Request) error {
	writing, err := writingOf(r)
	if err != nil {
		return err
	}
	in := company.RemoveServer{
		Name: r.PathValue("name"), WithReferences: r.URL.Query().Get("with_references") == "true", Writing: writing,
	}
	out, err := tool.Do(r.Context(), h.Run, h.Company.RemoveServer, web.APICall(r), in)
	return written(w, r, out, err)
}

// renaming is the body of a rename.
type renaming struct {
	To string `json:"to"`
}

// RenameServer answers POST /config/mcp-servers/{name}/rename with a body
// {"to": "new-name"}.
func (h *Handlers) RenameServer(w http.ResponseWriter, r *http.Request) error {
	writing, err := writingOf(r)
	if err != nil {
		return err
	}
	body, err := jsonBody(r)
	if err != nil {
		return err
	}
	sent, err := tool.Decode[renaming](body)
	if err != nil {
		return err
	}
	in := company.RenameServer{Name: r.PathValue("name"), To: sent.To, Writing: writing}
	out, err := tool.Do(r.Context(), h.Run, h.Company.RenameServer, web.APICall(r), in)
	return written(w, r, out, err)
}
