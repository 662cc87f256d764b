package web

import (
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/views/layout"
	view "crewlet/views/sorry"
)

// sorry answers for every handler that returned an error.
func (d *Door) sorry(w http.ResponseWriter, r *http.Request, err error) {
	v := visitOf(r)
	no := refusal.Of(err)
	if no.Class == refusal.Internal {
		d.Log.ErrorContext(r.Context(), "request_failed", "route", r.Pattern, "request", v.request, "error", no.Cause)
	}
	if no.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(no.RetryAfter.Seconds()))))
	}
	if err := d.drawn(w, r, no); err != nil {
		d.Log.ErrorContext(r.Context(), "refusal_not_drawn", "route", r.Pattern, "request", v.request, "error", err)
		http.Error(w, no.Says, no.Status())
	}
}

// drawn answers a refusal as its reader wants it: programs the envelope,
// people a page.
func (d *Door) drawn(w http.ResponseWriter, r *http.Request, no *refusal.Refusal) error {
	v := visitOf(r)
	if v.api || WantsJSON(r) || r.Header.Get("Authorization") != "" {
		return Refuse(w, r, no)
	}
	switch {
	case no.Class == refusal.Unauthenticated:
		return toSignIn(w, r)
	case no.Details["reason"] == "step_up" && v.viewer.By.Kind == access.Person && r.Method == http.MethodPost:
		return d.askAgain(w, r, no)
	case no.Class == refusal.NotFound:
		return Render(w, r, no.Status(), layout.NotFound(lost(r)))
	case no.Class == refusal.Internal:
		return Render(w, r, no.Status(), layout.Broken(lost(r)))
	default:
		return refusedPage(w, r, no)
	}
}

// askAgain draws the page that asks for the password.
func (d *Door) askAgain(w http.ResponseWriter, r *http.Request, no *refusal.Refusal) error {
	form, err := d.again(r, no)
	if refusal.Is(err, refusal.TooLarge) {
		return refusedPage(w, r, refusal.Of(err))
	}
	if err != nil {
		return err
	}
	if Partial(r) {
		return Render(w, r, no.Status(), view.ConfirmPart(form))
	}
	return Render(w, r, no.Status(), view.ConfirmPage(form))
}

func refusedPage(w http.ResponseWriter, r *http.Request, no *refusal.Refusal) error {
	return Render(w, r, no.Status(), view.RefusedPage(view.Refused{Title: title(no), Says: no.Says, Fields: no.Fields, Back: back(r), Request: visitOf(r).request}))
}

// Refuse sends the envelope.
func Refuse(w http.ResponseWriter, r *http.Request, no *refusal.Refusal) error {
	if no.Class == refusal.Unauthenticated {
		w.Header().Set("WWW-Authenticate", `Bearer realm="crewlet"`)
	}
	return Answer(w, r, no.Status(), no.Envelope())
}

// NotFound answers for addresses that are no route of ours.
func NotFound(http.ResponseWriter, *http.Request) error {
	return refusal.NotFound.Say("No page has this address.")
}

func title(no *refusal.Refusal) string {
	switch no.Class {
	case refusal.Forbidden:
		return "That is not yours to do"
	case refusal.Unavailable, refusal.UnknownOutcome:
		return "Not just now"
	case refusal.RateLimited:
		return "A moment, please"
	default:
		return "That could not be taken"
	}
}

func lost(r *http.Request) layout.Lost {
	v := visitOf(r)
	return layout.Lost{Path: r.URL.Path, RequestID: v.request, SignedIn: v.viewer.By.Kind != access.Nobody}
}

// back is where the person came from, when that is a page of ours.
func back(r *http.Request) string {
	u, err := url.Parse(r.Referer())
	if err != nil || u.Host != r.Host || u.Path == "" {
		return "/"
	}
	return u.RequestURI()
}

// toSignIn sends to the sign-in page and from there back here. What was typed
// into a form is kept by the browser under the form's key.
func toSignIn(w http.ResponseWriter, r *http.Request) error {
	next := r.URL.RequestURI()
	if r.Method != http.MethodGet {
		next = back(r)
	}
	to := "/sign-in?next=" + url.QueryEscape(next)
	if r.Header.Get("HX-Request") != "" {
		w.Header().Set("HX-Redirect", "/sign-in?next="+url.QueryEscape(back(r)))
		w.WriteHeader(http.StatusUnauthorized)
		return nil
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

// LocalPath is next when it is a path of ours, and "/" otherwise: a sign-in
// never sends anybody to another site.
func LocalPath(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.ContainsAny(next, "\\\r\n\t") {
		return "/"
	}
	return u.RequestURI()
}

// Home sends to the page people work on most.
func Home(w http.ResponseWriter, r *http.Request) error {
	if visitOf(r).door.elsewhere() {
		return See(w, r, "/company")
	}
	return See(w, r, "/inbox")
}

// elsewhere reports that the company keeps its work in another program.
func (d *Door) elsewhere() bool { return d.TracksWork != nil && !d.TracksWork() }
