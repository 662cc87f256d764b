// Package signin serves signing in and out, the set-up of the first
// administrator, and the list of one's own sign-ins.
package signin

import (
	"context"
	"math"
	"net/http"
	"strconv"

	"crewlet/engine/access"
	"crewlet/engine/identity"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
)

// Handlers serve the area's addresses.
type Handlers struct {
	Run      *tool.Runner
	Identity *identity.Identity
}

// browser is where a request came from, as a sign-in keeps it.
func browser(r *http.Request) identity.Browser {
	return identity.From(web.SourceOf(r), r.UserAgent())
}

// formKey is the key a redrawn form carries: its own while the same words may
// still land under it, else a new one.
func formKey(c *tool.Call, no *refusal.Refusal) string {
	if no.Class == refusal.Conflict || no.Class == refusal.OpIDInvalid || c.Key == "" {
		return tool.NewKey()
	}
	return c.Key
}

// says is the sentence above a form that is used up; all others are their own.
func says(no *refusal.Refusal) string {
	if no.Class == refusal.Conflict || no.Class == refusal.OpIDInvalid {
		return "This form had been sent before. Type your password and send it again."
	}
	return no.Says
}

// waits tells programs when to try again; people read it in the sentence.
func waits(w http.ResponseWriter, no *refusal.Refusal) {
	if no.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(no.RetryAfter.Seconds()))))
	}
}

// Viewers tell a door who a browser session is: read now, and as it was known
// within the minute, for pages that only read.
func Viewers(i *identity.Identity) (session, known func(context.Context, string) (web.Viewer, error)) {
	session = func(ctx context.Context, id string) (web.Viewer, error) {
		s, err := i.Session(ctx, id)
		return viewer(s), err
	}
	known = func(ctx context.Context, id string) (web.Viewer, error) {
		s, byHeart, err := i.Known(ctx, id)
		v := viewer(s)
		if byHeart {
			v.Still = func(ctx context.Context, c *tool.Call) (access.Principal, error) { return i.Still(ctx, c, id) }
		}
		return v, err
	}
	return session, known
}

func viewer(s identity.Signed) web.Viewer {
	return web.Viewer{By: s.Principal, Name: s.Name, Login: s.Login, Session: s.Session}
}
