package configuration

import (
	"net/http"

	"crewlet/engine/company"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
)

// ListRevisions answers GET /config/revisions?before=&limit=.
func (h *Handlers) ListRevisions(w http.ResponseWriter, r *http.Request) error {
	asked, err := web.Numbers(r, "before", "limit")
	if err != nil {
		return err
	}
	in := company.ListRevisions{Before: asked["before"], Limit: int(asked["limit"])}
	out, err := tool.Do(r.Context(), h.Run, h.Company.ListRevisions, web.Call(r), in)
	if err != nil {
		return err
	}
	return web.Answer(w, r, http.StatusOK, out)
}

// GetRevision answers GET /config/revisions/{id}.
func (h *Handlers) GetRevision(w http.ResponseWriter, r *http.Request) error {
	id, err := revisionID(r)
	if err != nil {
		return err
	}
	out, err := tool.Do(r.Context(), h.Run, h.Company.GetRevision, web.Call(r), company.GetRevision{ID: id})
	if err != nil {
		return err
	}
	return web.Answer(w, r, http.StatusOK, out)
}

// DiffRevisions answers GET /config/revisions/{id}/diff?from=.
func (h *Handlers) DiffRevisions(w http.ResponseWriter, r *http.Request) error {
	id, err := revisionID(r)
	if err != nil {
		return err
	}
	from, err := web.Number(r, "from")
	if err != nil {
		return err
	}
	in := company.DiffRevisions{From: from, To: id}
	out, err := tool.Do(r.Context(), h.Run, h.Company.DiffRevisions, web.Call(r), in)
	if err != nil {
		return err
	}
	return web.Answer(w, r, http.StatusOK, out)
}

// RevertRevision answers POST /config/revisions/{id}/revert.
func (h *Handlers) RevertRevision(w http.ResponseWriter, r *http.Request) error {
	id, err := revisionID(r)
	if err != nil {
		return err
	}
	writing, err := writingOf(r)
	if err != nil {
		return err
	}
	in := company.RevertConfig{To: id, Writing: writing}
	out, err := tool.Do(r.Context(), h.Run, h.Company.RevertConfig, web.APICall(r), in)
	return written(w, r, out, err)
}
