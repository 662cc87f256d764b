package web

import (
	"io"
	"net/http"
	"time"
)

// bodyWithin is how long a body may take to arrive: a caller that sends a byte
// now and then holds nothing.
const bodyWithin = time.Minute

// unhurried gives a request's body its time, and lifts the deadline once the
// body has been read: what the request then asks for may take longer.
func unhurried(w http.ResponseWriter, r *http.Request) io.ReadCloser {
	if r.Body == nil || r.Body == http.NoBody {
		return http.NoBody
	}
	c := http.NewResponseController(w)
	if c.SetReadDeadline(time.Now().Add(bodyWithin)) != nil {
		return r.Body // a writer that knows no deadlines, in a test
	}
	return &timed{ReadCloser: r.Body, lift: func() { _ = c.SetReadDeadline(time.Time{}) }}
}

type timed struct {
	io.ReadCloser
	lift func()
}

// Read reads on; at the end, however it came, the deadline is lifted.
func (t *timed) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	if err != nil && t.lift != nil {
		t.lift()
		t.lift = nil
	}
	return n, err
}
