package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/a-h/templ"
	"github.com/klauspost/compress/gzip"

	"crewlet/views/layout"
)

// Render draws a page whole, then sends it: an error while drawing never
// leaves half a page.
func Render(w http.ResponseWriter, r *http.Request, status int, page templ.Component) error {
	buf := lend()
	defer giveBack(buf)
	if err := page.Render(r.Context(), buf); err != nil {
		return fmt.Errorf("draw %s: %w", r.Pattern, err)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "private, no-cache")
	h.Add("Vary", "HX-Request, HX-Request-Type, Accept-Encoding")
	return send(w, r, status, buf.Bytes())
}

// buffers are kept: one that grows anew for each page allocates twice what the
// page holds.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func lend() *bytes.Buffer {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	return buf
}

func giveBack(buf *bytes.Buffer) {
	if buf.Cap() <= roomiest {
		buffers.Put(buf)
	}
}

// roomiest is the size in bytes past which a buffer is not kept.
const roomiest = 512 << 10

// smallest is the size in bytes under which compressing costs more than it saves.
const smallest = 1400

func send(w http.ResponseWriter, r *http.Request, status int, body []byte) error {
	if len(body) < smallest || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		return sized(w, status, body)
	}
	pressed := lend()
	defer giveBack(pressed)
	z := squeezers.Get().(*gzip.Writer)
	defer squeezers.Put(z)
	z.Reset(pressed)
	_, err := z.Write(body)
	if err = errors.Join(err, z.Close()); err != nil {
		return fmt.Errorf("press %s: %w", r.Pattern, err)
	}
	w.Header().Set("Content-Encoding", "gzip")
	return sized(w, status, pressed.Bytes())
}

// sized sends a body of a known length: it goes out in one piece, instead of in
// chunks.
func sized(w http.ResponseWriter, status int, body []byte) error {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, err := w.Write(body)
	return gone(err)
}

// squeezers are kept, because making one costs more than compressing a page.
// The fastest level, because a page is pressed once, for one reader: the best
// one saves an eighth of the bytes and takes ten times as long. Not the
// standard library's, which takes four times as long for the same bytes.
var squeezers = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // no error: the level exists
	return z
}}

// gone drops the error of a caller that went away: the status is sent, there
// is nobody left to tell.
func gone(error) error { return nil }

// Answer sends JSON.
func Answer(w http.ResponseWriter, r *http.Request, status int, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encode the answer of %s: %w", r.Pattern, err)
	}
	return Encoded(w, r, status, append(body, '\n'))
}

// Encoded sends JSON that is written already.
func Encoded(w http.ResponseWriter, r *http.Request, status int, body []byte) error {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "private, no-cache")
	w.Header().Add("Vary", "Accept, Accept-Encoding")
	return send(w, r, status, body)
}

// See sends the browser on after a write, so that a reload repeats nothing.
func See(w http.ResponseWriter, r *http.Request, to string) error {
	if r.Header.Get("HX-Request") != "" {
		w.Header().Set("HX-Location", to)
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

// Partial reports whether a fragment is asked for, and not a whole page.
func Partial(r *http.Request) bool {
	return r.Header.Get("HX-Request") != "" && r.Header.Get("HX-Request-Type") == "partial"
}

// WantsJSON reports whether a page's address is asked for its facts.
func WantsJSON(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	return strings.Contains(accept, "application/json") && !strings.Contains(accept, "text/html")
}

// Shell begins a page of the dashboard for this viewer.
func Shell(r *http.Request, title, here string, asOf int64) layout.Shell {
	v := visitOf(r)
	return layout.Shell{
		Title: title, Here: here, AsOf: asOf, Company: v.door.Company(), Elsewhere: v.door.elsewhere(),
		Viewer: layout.Viewer{Name: v.viewer.Name, Login: v.viewer.Login, Grants: v.viewer.By.Grants.List()},
		Landed: landed(r),
	}
}

// landed is the key of the form whose write led here, told by SeeLanded.
func landed(r *http.Request) string { return r.URL.Query().Get("landed") }

// SeeLanded is See, telling the page which form landed so that the browser
// forgets its draft.
func SeeLanded(w http.ResponseWriter, r *http.Request, to, key string) error {
	sep := "?"
	if strings.Contains(to, "?") {
		sep = "&"
	}
	return See(w, r, to+sep+"landed="+key)
}

// Bytes sends a body whose headers are set.
func Bytes(w http.ResponseWriter, body []byte) error {
	_, err := w.Write(body)
	return gone(err)
}
