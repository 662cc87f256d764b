package tool

import (
	"context"
	"time"

	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/changes"
)

// Call is one call of a use case: who, through which door, under which key.
// The door fills in the first half; the runner the rest.
type Call struct {
	By        access.Principal
	Key       string // UUIDv7; required for everything but reads
	Door      string // page, act, api, mcp, command, engine
	RequestID string
	MinAsOf   int64 // a read waits until this position is readable
	// Ends is closed when the credential ends or the node stops: what waits
	// for something to happen gives up then. Nil is never.
	Ends <-chan struct{}
	// Still says who By is where a read stands in the log, for a credential that
	// was not looked at just now. Nil is one that was.
	Still func(context.Context, *Call) (access.Principal, error)

	Now time.Time // UTC; the call's clock, fixed before the transaction
	Tx  *db.Tx    // the open transaction; nil while a call is outside

	// Landed is how the call ended, once it did.
	Landed Receipt
	// Failed is another program's failure that the answer holds, if it does.
	Failed Failure

	stood     int64 // see Stands
	object    string
	logged    []logged
	unchanged bool
	recorded  bool // its row of the record is written
	claimed   bool // its key is taken; see Harmless
	records   []any
}

// Failure is one of another program's, such as an MCP server's: it says so in
// its own words, and nothing of ours was wrong.
type Failure struct {
	Source string // such as mcp:github; empty where nothing failed
	Said   string
}

// Receipt is what a caller may keep of a call that ended well.
type Receipt struct {
	Outcome  string // applied, unchanged, or read
	Position int64  // the commit's place in the log; a read's as_of
	Repeated bool   // the key had landed before; nothing was done again
}

type logged struct {
	Ord    int                      `json:"ord"`
	Kind   string                   `json:"kind"`
	Object string                   `json:"object"`
	Deltas map[string]changes.Delta `json:"deltas"`
}

// About names the object of the call for the record.
func (c *Call) About(object string) { c.object = object }

// Changed adds one row to the log: what kind of thing happened to which
// object, field by field. Values are for people; never a secret's.
func (c *Call) Changed(kind, object string, deltas map[string]changes.Delta) {
	if deltas == nil {
		deltas = map[string]changes.Delta{}
	}
	c.logged = append(c.logged, logged{Ord: len(c.logged) + 1, Kind: kind, Object: object, Deltas: deltas})
	if c.object == "" {
		c.object = object
	}
}

// Unchanged says that the call asked for what already is.
func (c *Call) Unchanged() { c.unchanged = true }

// Claimed reports whether a call that left the database ends in a transaction
// of its own. One that was known to be harmless does not.
func (c *Call) Claimed() bool { return c.claimed }

// Record adds a row to what the area keeps of a call that left the database,
// whether it ends well or not; see Use.Recording.
func (c *Call) Record(row any) { c.records = append(c.records, row) }

// on begins a run on a transaction; a run that begins again has done nothing.
func (c *Call) on(tx *db.Tx) {
	c.Tx, c.logged, c.unchanged, c.object, c.records = tx, nil, false, "", []any{}
}

func (c *Call) outcome() string {
	if c.unchanged {
		return "unchanged"
	}
	return "applied"
}
