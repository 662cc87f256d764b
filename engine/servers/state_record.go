package servers

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/tool"
	"crewlet/mcp/client"
)

// States of an instance as they are kept, besides the client's own.
const (
	heldState = "held_back" // something it needs does not resolve
	stopped   = string(client.Stopped)
	starting  = string(client.Starting)
	running   = string(client.Running)
	failed    = string(client.Failed)
	resting   = string(client.Resting)
	idle      = string(client.Idle)
)

// recordServerState is what record_server_state is asked: one instance as it
// stands on one node.
type recordServerState struct {
	Server     string     `json:"server" validate:"required,uuid"`
	Seat       string     `json:"seat,omitempty"`
	Node       string     `json:"node" validate:"required"`
	Name       string     `json:"name,omitempty" jsonschema:"the server's name"`
	State      string     `json:"state" validate:"required"`
	Phase      string     `json:"phase,omitempty"`
	Error      string     `json:"error,omitempty" text:"raw"`
	Variables  []string   `json:"variables,omitempty" jsonschema:"what does not resolve, of one that is held back"`
	Attempt    int        `json:"attempt,omitempty"`
	Since      time.Time  `json:"since"`
	RetryAt    *time.Time `json:"retry_at,omitempty"`
	StderrTail string     `json:"stderr_tail,omitempty" text:"raw"`
	Era        string     `json:"era,omitempty"`
	PID        int        `json:"pid,omitempty"`
	Transport  string     `json:"transport,omitempty" jsonschema:"how it is spoken to; left out, it is as before"`
	Phases     []Phase    `json:"phases,omitempty" jsonschema:"those of its last start, in order"`

	Skipped      int    `json:"skipped,omitempty" jsonschema:"lines on its stdout that were no message"`
	SkippedLines string `json:"skipped_lines,omitempty" text:"raw" jsonschema:"the first of them"`
}

// Object names the server for the record.
func (a recordServerState) Object() string { return "server:" + a.Server }

// recorded answers the engine's own calls.
type recorded struct{}

func declareRecordState(s *Servers) tool.Use[recordServerState, recorded] {
	return tool.Declare(tool.Spec{
		Name:   "record_server_state",
		Title:  "Record a server's state",
		Brief:  "Keep how an instance of an MCP server stands on a node.",
		Access: access.EngineOnly(),
		Hints:  tool.Hints{Idempotent: true},
	}, s.stateRecorded)
}

// was is how the instance stood before.
type was struct {
	State string `db:"state"`
	Phase string `db:"phase"`
	Error string `db:"error"`
	Name  string `db:"name"`

	Attempt int        `db:"attempt"`
	RetryAt *time.Time `db:"retry_at"`
	Skipped int        `db:"skipped"`
}

const (
	recordState = `
		WITH was AS (
			SELECT state, phase, error, name, attempt, retry_at, skipped FROM server_states WHERE server = $1 AND seat = $2 AND node = $3
		), put AS (
			INSERT INTO server_states (server, seat, node, name, state, phase, error, attempt, since, retry_at, stderr_tail, era, pid, reported_at, transport,
				phases, skipped, skipped_lines)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
			ON CONFLICT (server, seat, node) DO UPDATE SET name = excluded.name, state = excluded.state, phase = excluded.phase,
				error = excluded.error, attempt = excluded.attempt, since = excluded.since, retry_at = excluded.retry_at,
				stderr_tail = excluded.stderr_tail, era = excluded.era, pid = excluded.pid, reported_at = excluded.reported_at,
				phases = excluded.phases, skipped = excluded.skipped, skipped_lines = excluded.skipped_lines,
				transport = CASE WHEN excluded.transport = '' THEN server_states.transport ELSE excluded.transport END
		)
		SELECT state, phase, error, name, attempt, retry_at, skipped FROM was`

	dropState = `DELETE FROM server_states WHERE server = $1 AND seat = $2 AND node = $3 RETURNING state, phase, error, name, attempt, retry_at, skipped`
)

func (s *Servers) stateRecorded(ctx context.Context, c *tool.Call, in recordServerState) (recorded, error) {
	c.About(in.Object())
	before, err := in.put(ctx, c)
	if err != nil {
		return recorded{}, fmt.Errorf("record the state of server %s: %w", in.Server, err)
	}
	if in.State == stopped {
		if err := forgetGone(ctx, c.Tx); err != nil {
			return recorded{}, err
		}
	}
	if kind := transition(before, in); kind != "" {
		c.Changed(kind, in.Object(), in.deltas(before))
		return recorded{}, nil
	}
	c.Unchanged()
	if before.moved(in) { // a row is another, and the log has nothing of it
		return recorded{}, changes.Aside(ctx, c.Tx, presenceAside)
	}
	return recorded{}, nil
}

// moved reports whether the row says something else than before about what is
// tried, and when, or about what was skipped.
func (b was) moved(now recordServerState) bool {
	same := b.RetryAt == now.RetryAt || b.RetryAt != nil && now.RetryAt != nil && b.RetryAt.Equal(*now.RetryAt)
	return b.State != now.State || b.Attempt != now.Attempt || b.Skipped != now.Skipped || !same
}

// put keeps the row and answers what it said before.
func (a recordServerState) put(ctx context.Context, c *tool.Call) (was, error) {
	var before was
	var err error
	if a.State == stopped {
		err = c.Tx.GetContext(ctx, &before, dropState, a.Server, a.Seat, a.Node)
	} else {
		err = c.Tx.GetContext(ctx, &before, recordState, a.Server, a.Seat, a.Node, a.Name, a.State, a.Phase, a.Error,
			a.Attempt, a.Since, a.RetryAt, a.StderrTail, a.Era, a.PID, c.Now, a.Transport, phasesText(a.Phases), a.Skipped, a.SkippedLines)
	}
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return before, err
}

// Phase is one phase of a start that is over.
type Phase struct {
	Phase  string `json:"phase"` // starting, fetching, handshaking or listing
	TookMS int64  `json:"took_ms"`
}

func phasesText(list []Phase) string {
	if len(list) == 0 {
		return ""
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic("phases are plain data: " + err.Error())
	}
	return string(text)
}

// transition is the kind of row a step leaves in the log; none for one that
// tells nobody anything new: a retry that fails as the last one did.
func transition(before was, now recordServerState) string {
	switch now.State {
	case running:
		return when(before.State != running, "server.started")
	case failed:
		return fallen(before, now)
	case heldState:
		return when(before.State != heldState || before.Error != now.Error, "server.held_back")
	case starting:
		return when(now.Error == "" && (before.State != starting || before.Phase != now.Phase), "server.starting")
	case idle:
		return when(before.State != idle, "server.resting")
	case stopped:
		return when(before.State != "" && before.State != heldState, "server.stopped")
	}
	return ""
}

func when(holds bool, kind string) string {
	if holds {
		return kind
	}
	return ""
}

func fallen(before was, now recordServerState) string {
	if before.State == running {
		return "server.exited"
	}
	return when(before.Error != now.Error || !down(before), "server.failed")
}

// down reports whether an instance had failed, or was trying again after it had.
func down(before was) bool {
	return before.State == failed || before.State == starting && before.Error != ""
}

func (a recordServerState) deltas(before was) map[string]changes.Delta {
	name := a.Name
	if name == "" {
		name = before.Name
	}
	d := map[string]changes.Delta{"name": {To: name}, "node": {To: a.Node}, "state": delta(before.State, a.State)}
	if a.Phase != "" {
		d["phase"] = changes.Delta{To: a.Phase}
	}
	if a.Error != "" {
		d["error"] = changes.Delta{To: a.Error}
	}
	if len(a.Variables) > 0 {
		d["variables"] = changes.Delta{To: a.Variables}
	}
	return d
}

// delta leaves out a side that is empty.
func delta(from, to string) changes.Delta {
	d := changes.Delta{To: to}
	if from != "" {
		d.From = from
	}
	return d
}
