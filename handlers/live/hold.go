package live

import (
	"context"
	"net/http"
	"time"

	"crewlet/engine/refusal"
	"crewlet/handlers/web"
)

// Hold is a context for what a request holds open: it ends with the request,
// with the credential the request came with, and when the node stops.
func (h *Handlers) Hold(r *http.Request) (context.Context, context.CancelFunc) {
	by := web.ViewerOf(r).By
	ctx, cancel := context.WithCancel(r.Context())
	l, _, _ := h.Hub.join(nil, []string{by.Credential, by.Key()}, -1)
	go func() {
		defer h.Hub.leave(l)
		defer cancel()
		recheck := time.NewTicker(h.Recheck)
		defer recheck.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-l.ended:
				return
			case <-recheck.C:
				if refusal.Is(h.Valid(r), refusal.Unauthenticated) {
					return
				}
			}
		}
	}()
	return ctx, cancel
}
