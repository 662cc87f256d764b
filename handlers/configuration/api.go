package configuration

import (
	"bytes"
	"encoding/json"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
)

// textKinds are the content types a document may be sent as.
var textKinds = []string{"application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "text/plain"}

// Get answers GET /config: the text as its authors wrote it, or, asked for
// JSON, with what is known of the revision.
func (h *Handlers) Get(w http.ResponseWriter, r *http.Request) error {
	now, err := tool.Do(r.Context(), h.Run, h.Company.GetConfig, web.Call(r), company.GetConfig{})
	if err != nil {
		return err
	}
	w.Header().Set("ETag", etag(now.ID))
	if web.WantsJSON(r) {
		return web.Answer(w, r, http.StatusOK, now)
	}
	w.Header().Set("Content-Type", "application/yaml; charset=utf-8")
	w.Header().Set("Cache-Control", "private, no-cache")
	w.Header().Add("Vary", "Accept")
	_, err = w.Write([]byte(now.Text))
	return err
}

// Put answers PUT /config: the body becomes the document.
func (h *Handlers) Put(w http.ResponseWriter, r *http.Request) error {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if !slices.Contains(textKinds, kind) {
		return refusal.WrongMediaType.Say("The document is sent as application/yaml or text/plain.")
	}
	writing, err := writingOf(r)
	if err != nil {
		return err
	}
	text, err := web.Body(r)
	if err != nil {
		return err
	}
	out, err := tool.Do(r.Context(), h.Run, h.Company.WriteConfig, web.APICall(r), company.WriteConfig{Text: string(text), Writing: writing})
	return written(w, r, out, err)
}

// patch is the body of PATCH /config.
type patch struct {
	Edits []company.Edit `json:"edits"`
}

// Patch answers PATCH /config with a body {"edits": [{"op": …, "path": …}]}:
// each changes one place.
func (h *Handlers) Patch(w http.ResponseWriter, r *http.Request) error {
	writing, err := writingOf(r)
	if err != nil {
		return err
	}
	body, err := jsonBody(r)
	if err != nil {
		return err
	}
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		return refusal.Malformed.Say("The list of edits stands in an object: {\"edits\": [{\"op\": \"replace\", \"path\": \"/name\", \"value\": \"Acme\"}]}.")
	}
	sent, err := tool.Decode[patch](body)
	if err != nil {
		return err
	}
	in := company.EditConfig{Edits: sent.Edits, Writing: writing}
	out, err := tool.Do(r.Context(), h.Run, h.Company.EditConfig, web.APICall(r), in)
	return written(w, r, out, err)
}

// Reload answers POST /config/reload.
func (h *Handlers) Reload(w http.ResponseWriter, r *http.Request) error {
	out, err := tool.Do(r.Context(), h.Run, h.Company.ReloadConfig, web.APICall(r), company.ReloadConfig{})
	if err != nil {
		return err
	}
	return web.Answer(w, r, http.StatusOK, out)
}

// References answers GET /config/references.
func (h *Handlers) References(w http.ResponseWriter, r *http.Request) error {
	out, err := tool.Do(r.Context(), h.Run, h.Company.ListReferences, web.Call(r), company.ListReferences{})
	if err != nil {
		return err
	}
	return web.Answer(w, r, http.StatusOK, out)
}

// written answers a write of the document.
func written(w http.ResponseWriter, r *http.Request, out company.Written, err error) error {
	if err != nil {
		return err
	}
	status := http.StatusOK
	if out.Created {
		status = http.StatusCreated
	}
	w.Header().Set("ETag", etag(out.RevisionID))
	return web.Answer(w, r, status, out)
}

func etag(revision int64) string { return strconv.Quote(strconv.FormatInt(revision, 10)) }

// writingOf reads the headers every write of the document has: If-Match,
// X-Summary, and the query's dry_run.
func writingOf(r *http.Request) (company.Writing, error) {
	out := company.Writing{Summary: r.Header.Get("X-Summary")}
	switch dry := r.URL.Query().Get("dry_run"); dry {
	case "", "false":
	case "true":
		out.DryRun = true
	default:
		return out, refusal.Malformed.Say("dry_run is true or false.")
	}
	match := strings.TrimSpace(r.Header.Get("If-Match"))
	if match == "" {
		return out, nil
	}
	id, err := strconv.ParseInt(strings.Trim(strings.TrimPrefix(match, "W/"), `"`), 10, 64)
	if err != nil || id < 1 {
		return out, refusal.Malformed.Say("If-Match is the number of one revision, as the header ETag of GET /config says it, such as \"12\".")
	}
	out.IfMatch = id
	return out, nil
}

// jsonBody reads a body that has to be JSON.
func jsonBody(r *http.Request) ([]byte, error) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != "application/json" {
		return nil, refusal.WrongMediaType.Say("This address takes application/json.")
	}
	body, err := web.Body(r)
	if err == nil && !json.Valid(body) {
		return nil, refusal.Malformed.Say("The body is not JSON.")
	}
	return body, err
}
