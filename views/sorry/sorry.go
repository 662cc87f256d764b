// Package sorry draws refusals that have no form of their own to come back
// with, and the page that asks for the password again.
package sorry

// Refused is a "no" with nothing to redraw.
type Refused struct {
	Title   string
	Says    string
	Fields  map[string]string // argument to sentence, where there are several
	Back    string            // where the person came from
	Request string
}

// Again is a form that waits for the password to be typed again: everything
// that was sent, sealed, under the key it was sent with.
type Again struct {
	Action string
	Says   string
	Wrong  string // about the password typed before; "" the first time
	Login  string
	Key    string
	Kept   string
	Back   string
}
