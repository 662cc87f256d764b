package client

import (
	"encoding/json"
	"fmt"
	"time"
)

// Fault is the kind of a call that came to nothing.
type Fault string

// The faults of a call. Reached of the error says whether the server may have
// begun to act on it.
const (
	NoServer  Fault = "no_server" // no such instance is wanted here
	Down      Fault = "down"      // it is not running: starting, failed or being replaced
	Lost      Fault = "lost"      // it died or was stopped during the call
	TimedOut  Fault = "timed_out" // past the spec's CallTimeout; the server stays up
	Cancelled Fault = "cancelled" // the caller's context ended
	Rejected  Fault = "rejected"  // the server answered with a protocol error
	TooLarge  Fault = "too_large" // the result is over MaxResult
	Malformed Fault = "malformed" // the arguments are no JSON object, or the answer cannot be read

	Unauthorized Fault = "unauthorized" // the server refuses our credential, or wants one
	Throttled    Fault = "throttled"    // the server wants fewer requests: see RetryAt
)

// CallError is why a call has no result. Its text is one sentence, redacted,
// that may be shown to whoever called.
type CallError struct {
	Fault        Fault
	Server, Tool string
	Reached      bool      // the request was sent: it may have taken effect
	RetryAt      time.Time // Down: when the next start is due; Throttled: when to ask again; if it is known
	Code         int64     // Rejected: the server's JSON-RPC code
	Data         json.RawMessage
	Says         string
	Cause        error // for the log, redacted too
}

func (e *CallError) Error() string { return e.Says }

func (e *CallError) Unwrap() error { return e.Cause }

// down is the refusal of a server that is not running.
func (s *supervisor) down(r Report, tool string) *CallError {
	e := &CallError{Fault: Down, Server: r.Name, Tool: tool, RetryAt: r.RetryAt}
	switch {
	case r.State == Starting && r.Error == "":
		e.Says = fmt.Sprintf("%s is still starting (%s).", r.Name, r.Phase)
	case r.State == Starting:
		e.Says = fmt.Sprintf("%s is starting again (%s) after this: %s", r.Name, r.Phase, r.Error)
	case r.State == Failed && r.RetryAt.IsZero():
		e.Says = fmt.Sprintf("%s is down and cannot be started as it is declared: %s", r.Name, r.Error)
	case r.State == Failed:
		wait := max(0, r.RetryAt.Sub(s.pool.clock.Now())).Round(time.Second)
		e.Says = fmt.Sprintf("%s is down; the next start is in %s. %s", r.Name, inWords(wait), r.Error)
	case r.State == Stopped:
		e.Says = fmt.Sprintf("%s is about to start.", r.Name)
	case r.State == Idle:
		e.Says = fmt.Sprintf("%s is idle; a call starts it.", r.Name)
	default:
		e.Says = fmt.Sprintf("%s is being stopped.", r.Name)
	}
	return e
}
