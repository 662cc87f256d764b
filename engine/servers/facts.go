package servers

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx/types"

	"crewlet/db"
)

// facts is all that lists and pages are made of, read at one moment.
type facts struct {
	*standing
	nodes      []Node
	states     []stateFact
	catalogues []catalogueFact
	tools      []toolFact
}

type stateFact struct {
	Server     string     `json:"server"`
	Seat       string     `json:"seat"`
	Node       string     `json:"node"`
	Name       string     `json:"name"`
	State      string     `json:"state"`
	Phase      string     `json:"phase"`
	Error      string     `json:"error"`
	Attempt    int        `json:"attempt"`
	Since      time.Time  `json:"since"`
	RetryAt    *time.Time `json:"retry_at"`
	StderrTail string     `json:"stderr_tail"`
	Era        string     `json:"era"`
	PID        int        `json:"pid"`
	Transport  string     `json:"transport"`
	Phases     string     `json:"phases"`
	Skipped    int        `json:"skipped"`
	Lines      string     `json:"skipped_lines"`
}

type catalogueFact struct {
	Server     string    `json:"server"`
	Seat       string    `json:"seat"`
	ListedAt   time.Time `json:"listed_at"`
	Tools      int       `json:"tools"`
	Dropped    int       `json:"dropped"`
	Duplicates int       `json:"duplicates"`
	Oversize   int       `json:"oversize"`
	LeftOut    string    `json:"left_out"`
	Stuck      bool      `json:"stuck"`
	Loop       string    `json:"loop"`

	Capabilities string `json:"capabilities"`
	Instructions string `json:"instructions"`
}

type toolFact struct {
	Server       string          `json:"server"`
	Seat         string          `json:"seat"`
	Utility      bool            `json:"utility"`
	Name         string          `json:"name"`
	Registered   string          `json:"registered"`
	Resolved     bool            `json:"resolved"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`
	InputSchema  string          `json:"input_schema"`
	OutputSchema string          `json:"output_schema"`
	Annotations  json.RawMessage `json:"annotations"`
	Invalid      string          `json:"invalid"`
	More         string          `json:"more"`
	Arguments    int             `json:"arguments"` // -1 for one that was filed before they were counted
	Bytes        int             `json:"bytes"`     // of all that a model is told of it
}

// One statement, so that a page of servers and tools stays within its queries.
// What is written about each tool is left out where nobody looks at it.
const (
	standingRows = `
		(SELECT revision FROM company_head) AS revision,
		(SELECT coalesce(json_agg(n), '[]') FROM (SELECT ` + nodeColumns + ` FROM nodes ORDER BY name, id) AS n) AS nodes,
		(SELECT coalesce(json_agg(s), '[]') FROM (
			SELECT server, seat, node, name, state, phase, error, attempt, since, retry_at, stderr_tail, era, pid, transport, phases, skipped, skipped_lines
			FROM server_states ORDER BY server, seat, node) AS s) AS states,
		(SELECT coalesce(json_agg(c), '[]') FROM (
			SELECT server, seat, listed_at, tools, dropped, duplicates, oversize, left_out, stuck, loop, capabilities, instructions
			FROM server_catalogues ORDER BY server, seat) AS c) AS catalogues`

	toolColumns = `server, seat, utility, name, registered, resolved, annotations::json AS annotations, invalid, arguments,
		octet_length(registered) + octet_length(description) + octet_length(input_schema) AS bytes,`

	everything = `
	SELECT ` + standingRows + `,
		(SELECT coalesce(json_agg(t), '[]') FROM (
			SELECT ` + toolColumns + `
				CASE WHEN $1 THEN title ELSE '' END AS title,
				CASE WHEN $1 THEN description ELSE '' END AS description,
				CASE WHEN $1 THEN input_schema ELSE '' END AS input_schema,
				CASE WHEN $1 THEN output_schema ELSE '' END AS output_schema,
				CASE WHEN $1 THEN more ELSE '' END AS more
			FROM server_tools ORDER BY server, seat, registered) AS t) AS tools`
)

// factRow is the one row of such a statement.
type factRow struct {
	Revision   int64          `db:"revision"`
	Nodes      types.JSONText `db:"nodes"`
	States     types.JSONText `db:"states"`
	Catalogues types.JSONText `db:"catalogues"`
	Tools      types.JSONText `db:"tools"`
}

// read gathers the facts; whole includes what is written about each tool.
func (s *Servers) read(ctx context.Context, tx *db.Tx, whole bool) (*facts, error) {
	var row factRow
	if err := tx.GetContext(ctx, &row, everything, whole); err != nil {
		return nil, fmt.Errorf("read the servers: %w", err)
	}
	return s.factsOf(ctx, tx, &row)
}

func (s *Servers) factsOf(ctx context.Context, tx *db.Tx, row *factRow) (*facts, error) {
	f := &facts{}
	for _, part := range []part{{row.Nodes, &f.nodes}, {row.States, &f.states}, {row.Catalogues, &f.catalogues}, {row.Tools, &f.tools}} {
		if err := part.read(); err != nil {
			return nil, err
		}
	}
	now, err := s.o.Company.StandingAt(ctx, tx, row.Revision)
	if err != nil {
		return nil, err
	}
	f.standing = standingOf(now)
	return f, nil
}

// part is a column of JSON and what it is read into.
type part struct {
	text types.JSONText
	into any
}

func (p part) read() error {
	if err := json.Unmarshal(p.text, p.into); err != nil {
		return fmt.Errorf("read the servers: %w", err)
	}
	return nil
}

// live are the nodes heard of within three beats, by id.
func (f *facts) live() map[string]Node {
	live := make(map[string]Node, len(f.nodes))
	for _, n := range f.nodes {
		if n.Live {
			live[n.ID] = n
		}
	}
	return live
}
