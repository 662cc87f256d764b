// Package node answers for the node itself: is it alive, may it be sent
// requests, what does it count, and who is asking.
package node

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/handlers/web"
)

// Handlers serves the node's own addresses.
type Handlers struct {
	Version  string
	ID       string
	Ping     func(context.Context) error // the database
	Position func() int64                // how far the change feed has come
	Metrics  prometheus.Gatherer
}

// Health says that the process answers. It asks nothing of anybody else: a
// database that is away is no reason to kill the node.
func (h *Handlers) Health(w http.ResponseWriter, r *http.Request) error {
	return web.Answer(w, r, http.StatusOK, map[string]any{"status": "alive", "version": h.Version})
}

// patience is how long the database may take to answer a readiness check.
const patience = 2 * time.Second

// Ready says that requests may be sent here.
func (h *Handlers) Ready(w http.ResponseWriter, r *http.Request) error {
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	if err := h.Ping(ctx); err != nil {
		return refusal.Unavailable.Say("The database does not answer.").After(time.Second).For(err)
	}
	return web.Answer(w, r, http.StatusOK, map[string]any{"status": "ready", "node": h.ID, "position": h.Position(), "version": h.Version})
}

// Viewer says who is asking, and what they may do.
func (h *Handlers) Viewer(w http.ResponseWriter, r *http.Request) error {
	v := web.ViewerOf(r)
	if err := access.May(access.Self(), v.By); err != nil {
		return err
	}
	return web.Answer(w, r, http.StatusOK, map[string]any{
		"via": v.By.Credential, "kind": v.By.Kind, "id": v.By.ID, "name": v.Name, "grants": v.By.Grants.List(),
	})
}

// Count answers in Prometheus's text format.
func (h *Handlers) Count(w http.ResponseWriter, r *http.Request) error {
	if err := access.May(access.Operator(access.StateRead), web.ViewerOf(r).By); err != nil {
		return err
	}
	promhttp.HandlerFor(h.Metrics, promhttp.HandlerOpts{}).ServeHTTP(w, r)
	return nil
}
