package secrets

import (
	"net/http"
	"strings"

	"crewlet/engine/secrets"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
)

// GetAll answers GET /secrets: names, never values.
func (h *Handlers) GetAll(w http.ResponseWriter, r *http.Request) error {
	out, err := tool.Do(r.Context(), h.Run, h.Secrets.List, web.Call(r), secrets.ListSecrets{})
	if err != nil {
		return err
	}
	return web.Answer(w, r, http.StatusOK, out)
}

// Put answers PUT /secrets/{name}: the body is the value, every byte of it.
// The header X-Hosts names the hosts it may be sent to, parted by commas.
func (h *Handlers) Put(w http.ResponseWriter, r *http.Request) error {
	value, err := web.Body(r)
	if err != nil {
		return err
	}
	in := secrets.SetSecret{Name: r.PathValue("name"), Value: string(value)}
	for host := range strings.SplitSeq(r.Header.Get("X-Hosts"), ",") {
		if host = strings.TrimSpace(host); host != "" {
			in.Hosts = append(in.Hosts, host)
		}
	}
	out, err := tool.Do(r.Context(), h.Run, h.Secrets.Set, web.APICall(r), in)
	if err != nil {
		return err
	}
	return web.Answer(w, r, http.StatusOK, out)
}

// Remove answers DELETE /secrets/{name}?anyway=true.
func (h *Handlers) Remove(w http.ResponseWriter, r *http.Request) error {
	in := secrets.DeleteSecret{Name: r.PathValue("name"), Anyway: r.URL.Query().Get("anyway") == "true"}
	out, err := tool.Do(r.Context(), h.Run, h.Secrets.Delete, web.APICall(r), in)
	if err != nil {
		return err
	}
	return web.Answer(w, r, http.StatusOK, out)
}
