package door

import (
	"bytes"
	"net/http"
	"time"
)

// slow is how long one write may take; a reader that takes longer is gone.
const slow = 30 * time.Second

// answer writes to the caller. It puts in place what the library has no way to
// be handed, and streams through whatever the writer is wrapped in.
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

// WriteHeader sends the status. A stream was begun before anybody knew how it
// would end.
func (a *answer) WriteHeader(status int) {
	if a.v.swap.status != 0 && a.Header().Get("Content-Type") == "application/json" {
		status = a.v.swap.status
	}
	a.w.WriteHeader(status)
}

// swap is a part of an answer as the library writes it, and what is sent
// instead. Within a string its quotes would be escaped, so it is found nowhere
// else.
type swap struct {
	from, to []byte
	status   int // of HTTP; 0 for the library's
}

// Write sends a part of the body.
func (a *answer) Write(p []byte) (int, error) {
	if a.held {
		if err := a.c.SetWriteDeadline(time.Now().Add(slow)); err != nil {
			return 0, err
		}
	}
	s := a.v.swap
	at := bytes.Index(p, s.from)
	if s.from == nil || at < 0 {
		return a.w.Write(p)
	}
	for _, part := range [][]byte{p[:at], s.to, p[at+len(s.from):]} {
		if _, err := a.w.Write(part); err != nil {
			return 0, err
		}
	}
	a.v.swap = swap{}
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
