package client

import "time"

// State is where an instance stands.
type State string

// The states of an instance. A failed one has a RetryAt unless it can never
// launch; a replacing one is being stopped so that it can start again.
const (
	Starting  State = "starting"
	Running   State = "running"
	Failed    State = "failed"
	Replacing State = "replacing"
	Stopping  State = "stopping"
	Stopped   State = "stopped"
	// A lazy server without calls is stopped; the next call starts it.
	Resting State = "resting" // being stopped
	Idle    State = "idle"
)

// Phase is how far a starting instance has come.
type Phase string

// The phases of a start. Fetching exists only for package runners, whose
// download comes before the server itself runs.
const (
	Fetching    Phase = "fetching"
	Handshaking Phase = "handshaking"
	Listing     Phase = "listing"
	spawning    Phase = "starting"
)

// Passed is a phase that is over.
type Passed struct {
	Phase Phase
	Took  time.Duration
}

// Implementation is what a server says of itself.
type Implementation struct {
	Name, Title, Version string
}

// Report is an instance as it stands at one moment. The pool gives one for
// each change, in order for each key.
type Report struct {
	Key          Key
	Name         string
	Print        string // of the spec
	State        State
	Phase        Phase // while starting, else ""
	Attempt      int   // starts since the schedule was last reset, from 1
	Since        time.Time
	RetryAt      time.Time // while failed: when it is tried again; zero for never
	Error        string    // while failed, and while starting again: one sentence, redacted
	Fault        Fault     // while failed: Unauthorized or Throttled when the server said so, else ""
	Challenge    string    // Unauthorized: its WWW-Authenticate, if it sent one
	StderrTail   []string  // the last lines before the last failure, redacted
	Era          string    // the protocol version spoken
	Server       Implementation
	Instructions string
	PID          int
	// Phases are those of the last start that are over, in order, and how long
	// each took.
	Phases []Passed
	// Skipped are the lines on this child's stdout that were no JSON-RPC.
	Skipped Skipped
	// Catalogue is set in the report of a fresh listing and nil in others.
	Catalogue *Catalogue
}
