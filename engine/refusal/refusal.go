// Package refusal is how Crewlet says no: a class for programs to branch on
// and a sentence for people to read, both chosen where the rule is written.
package refusal

import (
	"errors"
	"fmt"
	"time"
)

// Refusal is one "no". It is the same value at every door; a door only
// chooses how to draw it.
type Refusal struct {
	Class  Class
	Says   string            // one or two sentences: what was wrong, what would be right
	Fields map[string]string // argument name to the sentence that stands beside it
	// Details travel in the envelope beside error and message: what stands
	// now, what still refers to it, which grants would admit.
	Details    map[string]any
	RetryAfter time.Duration // zero when waiting is no remedy
	Cause      error         // for the log; never shown
}

// Say begins a refusal of this class with its sentence.
func (c Class) Say(format string, args ...any) *Refusal {
	says := format
	if len(args) > 0 {
		says = fmt.Sprintf(format, args...)
	}
	return &Refusal{Class: c, Says: says}
}

// Error makes a refusal an error. The cause is left out on purpose: what is
// printed here may reach a caller.
func (r *Refusal) Error() string { return string(r.Class) + ": " + r.Says }

// Unwrap gives the log the cause.
func (r *Refusal) Unwrap() error { return r.Cause }

// On puts the sentence beside the argument it speaks of.
func (r *Refusal) On(field string) *Refusal { return r.Beside(field, r.Says) }

// Beside puts a sentence of its own beside an argument.
func (r *Refusal) Beside(field, says string) *Refusal {
	if r.Fields == nil {
		r.Fields = map[string]string{}
	}
	r.Fields[field] = says
	return r
}

// With adds one detail to the envelope.
func (r *Refusal) With(name string, value any) *Refusal {
	if r.Details == nil {
		r.Details = map[string]any{}
	}
	r.Details[name] = value
	return r
}

// After says when trying again may help.
func (r *Refusal) After(wait time.Duration) *Refusal {
	r.RetryAfter = wait
	return r
}

// For keeps what really happened, for the log alone.
func (r *Refusal) For(cause error) *Refusal {
	r.Cause = cause
	return r
}

// Of reads err as a refusal; nil stays nil. What nobody classified is the
// node's own fault and is told to nobody.
func Of(err error) *Refusal {
	if err == nil {
		return nil
	}
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r
	}
	return &Refusal{Class: Internal, Says: "Something broke on our side. Nothing you sent was wrong; the cause is in the node's log.", Cause: err}
}

// Is reports whether err is a refusal of this class.
func Is(err error, class Class) bool {
	r, ok := errors.AsType[*Refusal](err)
	return ok && r.Class == class
}

// KeyTaken reports that the call's key had landed with something else: a form
// that met this goes on under a new one.
func (r *Refusal) KeyTaken() bool {
	return r != nil && r.Class == Conflict && r.Details["op_id"] != nil
}

// Redraws reports whether a form that met this refusal comes back with what
// was typed. A thing that is not there, or not yours, has no form to redraw.
func (r *Refusal) Redraws() bool {
	return r != nil && r.Class != NotFound && r.Class != Forbidden && r.Class != Unauthenticated
}
