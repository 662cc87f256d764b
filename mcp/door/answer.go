package door

import (
	"bytes"
	"net/http"
	"time"
)

// slow is how long one write may take; a reader that takes longer is gone.
const slow = 30 * time.Second

// answer writes to the caller. It carries the encoded list of tools past the
// library, and streams through whatever the writer is wrapped in.
type answer struct {
	w    http.ResponseWriter
	c    *http.ResponseController
	v    *visit
	held bool
}

func newAnswer(w http.ResponseWriter, v *visit, held bool) *answer {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	return &answer{w: w, c: http.NewResponseController(w), v: v, held: held}
}

// Header is what is sent before the body.
func (a *answer) Header() http.Header { return a.w.Header() }

// WriteHeader sends the status.
func (a *answer) WriteHeader(status int) { a.w.WriteHeader(status) }

// emptyList is where a list of tools stands in an answer. Within a string its
// quotes would be escaped.
var emptyList = []byte(`"tools":[]`)

// Write sends a part of the body.
func (a *answer) Write(p []byte) (int, error) {
	if a.held {
		if err := a.c.SetWriteDeadline(time.Now().Add(slow)); err != nil {
			return 0, err
		}
	}
	at := bytes.Index(p, emptyList)
	if a.v.list == nil || at < 0 {
		return a.w.Write(p)
	}
	at += len(emptyList) - len("[]")
	for _, part := range [][]byte{p[:at], a.v.list, p[at+len("[]"):]} {
		if _, err := a.w.Write(part); err != nil {
			return 0, err
		}
	}
	a.v.list = nil
	return len(p), nil
}

// Flush sends what was written so far.
func (a *answer) Flush() { _ = a.c.Flush() }

// CanStream says that events may be sent as they come.
func (a *answer) CanStream() bool { return true }

// end lifts the deadline: the connection may carry other requests.
func (a *answer) end() {
	if a.held {
		_ = a.c.SetWriteDeadline(time.Time{})
	}
}
