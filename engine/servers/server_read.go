package servers

import "time"

// ServerRead is all there is to know of one server.
type ServerRead struct {
	Server                   // the row's facts
	Enabled       bool       `json:"enabled"`
	Launch        Launch     `json:"launch"`
	Instances     []Instance `json:"instances"`
	History       []Event    `json:"history"` // the newest first, at most 50
	Listed        []Tool     `json:"listed"`  // its tools, utility tools among them; Withheld says why one is not offered
	NotOffered    []Withheld `json:"not_offered"`
	Instructions  string     `json:"instructions,omitempty"`
	Capabilities  []string   `json:"capabilities"`          // tools, resources, prompts, completions
	CatalogueAgeS int64      `json:"catalogue_age_s"`       // seconds since its last listing; -1 before the first
	Declared      *Declared  `json:"declared_in,omitempty"` // the revision that last changed its entry
	RevisionID    int64      `json:"revision_id"`           // in force; sent back as if_match
	Stats         CallStats  `json:"stats"`
	ByTool        []ToolCall `json:"by_tool"`
}

// Launch is how a server is started or reached. Values are shown only as far
// as they are references; no value of one is.
type Launch struct {
	Command        string    `json:"command,omitempty"`
	Args           []string  `json:"args,omitempty"`
	URL            string    `json:"url,omitempty"` // as written
	Env            []Setting `json:"env,omitempty"`
	Headers        []Setting `json:"headers,omitempty"`
	Lazy           bool      `json:"lazy"`
	Roots          []string  `json:"roots,omitempty"`
	ToolPrefix     string    `json:"tool_prefix,omitempty"`
	TimeoutS       float64   `json:"timeout_s"`
	StartupS       float64   `json:"startup_timeout_s"`
	IdleStopS      float64   `json:"idle_stop_s"`
	PrivateAllowed bool      `json:"allow_private_addresses"`
	ResourcesOn    bool      `json:"resources"`
	PromptsOn      bool      `json:"prompts"`
	Include        []string  `json:"include,omitempty"`
	Exclude        []string  `json:"exclude,omitempty"`
}

// Setting is a variable or a header a server is given.
type Setting struct {
	Name     string `json:"name"`
	Value    string `json:"value,omitempty"` // the document's text where it holds a reference
	Hidden   bool   `json:"hidden"`          // a literal: set, not shown
	Optional bool   `json:"optional"`        // left out when a reference does not resolve
}

// Instance is one child or connection on one node.
type Instance struct {
	Node       string     `json:"node"`
	Seat       string     `json:"seat,omitempty"`
	State      string     `json:"state"`
	Phase      string     `json:"phase,omitempty"`
	Error      string     `json:"error,omitempty"`
	Attempt    int        `json:"attempt"`
	Since      time.Time  `json:"since"`              // UTC
	RetryAt    *time.Time `json:"retry_at,omitempty"` // UTC
	StderrTail []string   `json:"stderr_tail,omitempty"`
	Era        string     `json:"era,omitempty"` // the protocol version spoken
	PID        int        `json:"pid,omitempty"`
	Phases     []Phase    `json:"phases,omitempty"` // those of its last start that are over, in order
	// Skipped counts lines on its stdout that were no message; SkippedLines are
	// the first of them, redacted.
	Skipped      int      `json:"skipped,omitempty"`
	SkippedLines []string `json:"skipped_lines,omitempty"`
}

// Event is one line of a server's history.
type Event struct {
	Position int64     `json:"position"`
	At       time.Time `json:"at"` // UTC
	Kind     string    `json:"kind"`
	Actor    string    `json:"actor"` // as people read it
	Node     string    `json:"node,omitempty"`
	Error    string    `json:"error,omitempty"`
	Says     string    `json:"says"` // one sentence
}

// Withheld is something a server has that is offered to nobody, and why.
type Withheld struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// Declared is the revision that made an entry what it is.
type Declared struct {
	RevisionID int64     `json:"revision_id"`
	Author     string    `json:"author"`
	At         time.Time `json:"at"` // UTC
	Summary    string    `json:"summary"`
}

// ToolCall is the figures of one tool.
type ToolCall struct {
	Tool string `json:"tool"` // as it was registered
	CallStats
}
