package servers

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx/types"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// ListCalls asks for calls of servers' tools, the newest first. What is left
// out narrows nothing.
type ListCalls struct {
	Tool   string `json:"tool,omitempty" validate:"max=64" jsonschema:"a tool's registered name"`
	Server string `json:"server,omitempty" validate:"max=40" jsonschema:"a server's name"`
	Before int64  `json:"before,omitempty" validate:"min=0" jsonschema:"id of a call: those older than it"`
	Limit  int    `json:"limit,omitempty" validate:"min=0,max=200" jsonschema:"how many at most; 50 when left out"`
}

// CallList is a page of calls, and figures over all that fit.
type CallList struct {
	Calls []CallRow `json:"calls"`
	Stats CallStats `json:"stats"`
	More  bool      `json:"more"` // there are older ones
}

// CallRow is the record of one call: never its arguments, never its result.
type CallRow struct {
	ID         int64     `json:"id"`
	At         time.Time `json:"at"` // UTC; when it began
	Actor      string    `json:"actor"`
	ActorName  string    `json:"actor_name"`
	Door       string    `json:"door"`
	Tool       string    `json:"tool"`   // as it was registered
	Server     string    `json:"server"` // its name at the time
	Item       string    `json:"item,omitempty"`
	Node       string    `json:"node"`
	DurationMS int64     `json:"duration_ms"`
	Outcome    string    `json:"outcome"` // ok, server_error, or the class it was refused with
	BytesIn    int64     `json:"bytes_in"`
	BytesOut   int64     `json:"bytes_out"`
	Operation  string    `json:"operation,omitempty"`
	Kept       bool      `json:"kept,omitempty"` // what was said is kept; see get_tool_call
}

// CallStats sums calls up. Rates and percentiles are of the newest 1,000.
type CallStats struct {
	Calls     int64   `json:"calls"`      // all that are kept
	ErrorRate float64 `json:"error_rate"` // 0 to 1
	P50MS     int64   `json:"p50_ms"`
	P95MS     int64   `json:"p95_ms"`
}

func declareListCalls(s *Servers) tool.Use[ListCalls, CallList] {
	return tool.Declare(tool.Spec{
		Name:     "list_tool_calls",
		Title:    "Calls of tools",
		Brief:    "List calls of MCP servers' tools: who, when, how long, how each ended; with error rate and latency.",
		Access:   access.Operator(access.StateRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, s.listCalls)
}

// Narrowed by tool, by server, by both or by neither; one statement for the
// page and the figures over all that fit.
const (
	callsThatFit = `
		FROM mcp_calls
		WHERE ($1 = '' OR tool = $1) AND ($2 = '' OR server = (
			SELECT coalesce((SELECT id FROM mcp_servers WHERE name = $2 AND declared), (
				SELECT server FROM mcp_calls WHERE server_name = $2 ORDER BY id DESC LIMIT 1))))`

	listCalls = `
		SELECT (SELECT coalesce(json_agg(c), '[]') FROM (
				SELECT ` + callColumns + callsThatFit + ` AND ($3 = 0 OR id < $3) ORDER BY id DESC LIMIT $4) AS c) AS calls,
			(SELECT row_to_json(f) FROM (
				SELECT (SELECT count(*) ` + callsThatFit + `) AS calls, ` + figures + `
				FROM (SELECT outcome, duration_ms ` + callsThatFit + ` ORDER BY id DESC LIMIT 1000) AS newest) AS f) AS stats`
)

// usualCalls is how many calls a page has that asks for no number.
const usualCalls = 50

func (s *Servers) listCalls(ctx context.Context, c *tool.Call, in ListCalls) (CallList, error) {
	limit := in.Limit
	if limit == 0 {
		limit = usualCalls
	}
	var row struct {
		Calls types.JSONText `db:"calls"`
		Stats types.JSONText `db:"stats"`
	}
	if err := c.Tx.GetContext(ctx, &row, listCalls, in.Tool, in.Server, in.Before, limit+1); err != nil {
		return CallList{}, fmt.Errorf("list the calls: %w", err)
	}
	out := CallList{}
	for _, part := range []part{{row.Calls, &out.Calls}, {row.Stats, &out.Stats}} {
		if err := part.read(); err != nil {
			return CallList{}, err
		}
	}
	if out.More = len(out.Calls) > limit; out.More {
		out.Calls = out.Calls[:limit]
	}
	return out, nil
}
