package web

import (
	"log/slog"
	"net/http"
	"runtime/debug"

	"github.com/google/uuid"
)

// policy allows nothing but our own files: no inline script or style, no eval.
const policy = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"

// Around is what every answer has: its id, the security headers, and a
// recovered panic instead of a cut connection.
func Around(next http.Handler, log *slog.Logger, secure bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := uuid.Must(uuid.NewV7()).String()
		r.Header.Set(requestHeader, id)
		h := w.Header()
		h.Set(requestHeader, id)
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		if secure {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		defer func() {
			cause := recover()
			if cause == nil {
				return
			}
			if cause == http.ErrAbortHandler { //nolint:errorlint // the library compares it so
				panic(cause)
			}
			log.ErrorContext(r.Context(), "panic", "route", r.Pattern, "request", id, "cause", cause, "stack", string(debug.Stack()))
			http.Error(w, "Something broke on our side. Whoever runs this node finds it in the log as "+id+".", http.StatusInternalServerError)
		}()
		next.ServeHTTP(w, r)
	})
}

const requestHeader = "X-Request-Id"

// RequestID is the id this node gave the request. A caller's own is never
// believed: Around overwrites it.
func RequestID(r *http.Request) string { return r.Header.Get(requestHeader) }
