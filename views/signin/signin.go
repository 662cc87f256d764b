// Package signin draws the pages around signing in: the sign-in form, the
// set-up of the first administrator, and the list of one's own sign-ins.
package signin

import (
	"time"

	"crewlet/views/layout"
)

// SignIn is the sign-in form. The password never comes back.
type SignIn struct {
	Key    string
	Next   string // path to go on to
	Login  string // as it was typed
	Says   string // above the form
	Fields map[string]string
	Vacant bool // nobody can sign in yet: set-up comes first
}

// Setup is the form that makes the first administrator.
type Setup struct {
	Action             string
	Key                string
	Login, Name, Email string // as they were typed
	Says               string // above the form
	Fields             map[string]string
}

// says leaves the sentence above the form out where it stands beside a field.
func says(says string, fields map[string]string) string {
	for _, beside := range fields {
		if beside == says {
			return ""
		}
	}
	return says
}

// SetupOver is what a set-up link shows that cannot be used.
type SetupOver struct {
	Closed bool // there is an administrator; else the link is just no good
	Says   string
}

// SignIns is the list of one's own browser sessions.
type SignIns struct {
	Shell layout.Shell
	List  List
}

// List is the part that keeps itself current.
type List struct {
	Rows []Row
	Now  time.Time
	AsOf int64
}

// Row is one browser.
type Row struct {
	ID            string
	Browser       string // Firefox on Linux
	Agent         string // what it calls itself, whole
	Source        string // address
	Created, Seen time.Time
	Here          bool
	Key           string // of the form that ends it
}
