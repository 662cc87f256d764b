// Package web is the plumbing between HTTP and use cases: who is asking, what
// they sent, how an answer or a refusal is drawn. It decides nothing.
package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"

	"github.com/gorilla/sessions"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// MaxBody is the largest request body in bytes, files apart.
const MaxBody = 2 << 20

// Viewer is who is asking.
type Viewer struct {
	By      access.Principal
	Name    string // as people write it
	Login   string
	Session string // id of the browser session; empty for tokens
	// Still is tool.Call's, where the credential was not looked at just now.
	Still func(context.Context, *tool.Call) (access.Principal, error)
}

// Door is what every handler's wrapper needs. It is made once.
type Door struct {
	Run      *tool.Runner
	Sessions sessions.Store
	// Session and Token say whose a credential is: a refusal of class
	// unauthenticated for nobody's, unavailable when it could not be checked.
	Session func(ctx context.Context, id string) (Viewer, error)
	// Known is Session for looks: what was read lately may serve.
	Known func(ctx context.Context, id string) (Viewer, error)
	Token func(ctx context.Context, source, value string) (access.Principal, error)
	// Confirm checks a password typed again for a sensitive act.
	Confirm func(ctx context.Context, c *tool.Call, password string) error
	// Seal and Open keep a posted form while its password is typed again, bound
	// to what it is about.
	Seal    func(plain []byte, about string) ([]byte, error)
	Open    func(sealed []byte, about string) ([]byte, error)
	Company func() string // the company's name, for the shell
	// TracksWork reports whether the company keeps its work here; nil where it
	// does.
	TracksWork func() bool
	Log        *slog.Logger
	Base       *url.URL       // how people reach the dashboard; nil says nothing
	Secure     bool           // served over https, here or by a trusted proxy
	Proxies    []netip.Prefix // whose X-Forwarded-For is believed
}

// visit is what the wrapper learned of a request.
type visit struct {
	door    *Door
	viewer  Viewer
	api     bool
	request string // id of the request, in the log and on pages that failed
	source  string // address of the caller
}

type visitKey struct{}

func visitOf(r *http.Request) *visit {
	v, _ := r.Context().Value(visitKey{}).(*visit)
	return v
}

// ViewerOf is who sent the request; the zero Viewer is nobody.
func ViewerOf(r *http.Request) Viewer {
	if v := visitOf(r); v != nil {
		return v.viewer
	}
	return Viewer{}
}

// SourceOf is the caller's address, through a trusted proxy if there is one.
func SourceOf(r *http.Request) string { return visitOf(r).source }

// Handler is an HTTP handler that returns its error.
type Handler func(w http.ResponseWriter, r *http.Request) error

// Page serves people: a browser session says who asks, and an error becomes a
// page.
func (d *Door) Page(h Handler) http.Handler {
	return d.serve(h, false, func(r *http.Request, api bool) (Viewer, error) { return d.identify(r, api, d.Session) })
}

// Look is Page for what shows the answer of a use case's read, and is nothing
// without it: the runner asks once more who is looking, see tool.Call.Still, so
// that who it is need not be read from the database beforehand.
func (d *Door) Look(h Handler) http.Handler {
	return d.serve(h, false, func(r *http.Request, api bool) (Viewer, error) { return d.identify(r, api, d.Known) })
}

// API serves programs: a token or a browser session says who asks, and an
// error becomes the envelope.
func (d *Door) API(h Handler) http.Handler {
	return d.serve(h, true, func(r *http.Request, api bool) (Viewer, error) { return d.identify(r, api, d.Session) })
}

// Anyone serves what is the same for everybody, without asking who it is.
func (d *Door) Anyone(h Handler) http.Handler {
	return d.serve(h, true, func(*http.Request, bool) (Viewer, error) { return Viewer{}, nil })
}

func (d *Door) serve(h Handler, api bool, identify func(*http.Request, bool) (Viewer, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &visit{door: d, api: api, request: RequestID(r), source: d.source(r)}
		r = r.WithContext(context.WithValue(r.Context(), visitKey{}, v))
		r.Body = http.MaxBytesReader(w, unhurried(w, r), MaxBody)
		out := &answer{ResponseWriter: w}
		viewer, err := identify(r, api)
		v.viewer = viewer
		if err == nil {
			err = d.caught(h, out, r)
		}
		if err != nil {
			d.sorry(out, r, err)
		}
	})
}

// caught runs a handler and makes an error of its panic, so that it is
// answered like any other failure of ours. An answer that is under way can
// only be cut off.
func (d *Door) caught(h Handler, w *answer, r *http.Request) (err error) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		if cause == http.ErrAbortHandler { //nolint:errorlint // the library compares it so
			panic(cause)
		}
		d.Log.ErrorContext(r.Context(), "panic", "route", r.Pattern, "request", RequestID(r), "cause", cause, "stack", string(debug.Stack()))
		if w.begun {
			panic(http.ErrAbortHandler)
		}
		err = fmt.Errorf("panic: %v", cause)
	}()
	return h(w, r)
}

// answer knows whether anything was sent yet.
type answer struct {
	http.ResponseWriter
	begun bool
}

// WriteHeader sends the status.
func (a *answer) WriteHeader(status int) {
	a.begun = true
	a.ResponseWriter.WriteHeader(status)
}

// Write sends a part of the body.
func (a *answer) Write(p []byte) (int, error) {
	a.begun = true
	return a.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// Call begins a call of a use case for this request.
func Call(r *http.Request) *tool.Call {
	v := visitOf(r)
	c := &tool.Call{By: v.viewer.By, Still: v.viewer.Still, Door: "page", RequestID: v.request, MinAsOf: minPosition(r)}
	if v.api {
		c.Door = "api"
	}
	return c
}
