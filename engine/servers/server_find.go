package servers

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/jmoiron/sqlx/types"

	"crewlet/config/document"
	"crewlet/db"
)

// oneServer is all that one server's page is made of, or one tool's.
type oneServer struct {
	facts
	target     string // the server's id; empty when there is none
	changes    []changeFact
	declaredIn *Declared
	stats      CallStats
	byTool     []ToolCall
	calls      []CallRow
}

type changeFact struct {
	Position int64           `json:"position"`
	At       time.Time       `json:"at"`
	Kind     string          `json:"kind"`
	Actor    string          `json:"actor"`
	Deltas   json.RawMessage `json:"deltas"`
}

// One statement again, for the page of a server or of a tool by its name, $1.
// What is written about tools is read of one server alone, and of a tool's page
// its own schemas alone.
const (
	aboutServer = `
	WITH target AS (
		SELECT coalesce(
			(SELECT id FROM mcp_servers WHERE name = $1 AND declared),
			(SELECT server FROM server_states WHERE name = $1 ORDER BY server LIMIT 1)) AS id
	), own AS (
		SELECT * ` + callsOfServer + ` ORDER BY id DESC LIMIT 1000
	), all_own AS (
		SELECT count(*) AS calls ` + callsOfServer + `
	), listed AS (
		SELECT ` + toolColumns + ` title, description, input_schema, output_schema ` + toolsOfTarget + `
	)` + aboutEither

	aboutTool = `
	WITH target AS (
		SELECT (SELECT server FROM server_tools WHERE registered = $1 ORDER BY seat LIMIT 1) AS id
	), own AS (
		SELECT * ` + callsOfTool + ` ORDER BY id DESC LIMIT 1000
	), all_own AS (
		SELECT count(*) AS calls ` + callsOfTool + `
	), listed AS (
		SELECT ` + toolColumns + ` title, description,
			CASE WHEN registered = $1 THEN input_schema ELSE '' END AS input_schema,
			CASE WHEN registered = $1 THEN output_schema ELSE '' END AS output_schema,
			CASE WHEN registered = $1 THEN more ELSE '' END AS more ` + toolsOfTarget + `
	)` + aboutEither

	callsOfServer = `FROM mcp_calls WHERE server = (SELECT id FROM target)`
	callsOfTool   = `FROM mcp_calls WHERE tool = $1`
	toolsOfTarget = `FROM server_tools WHERE server = (SELECT id FROM target)`

	aboutEither = `
	SELECT (SELECT coalesce(id::text, '') FROM target) AS target,` + standingRows + `,
		(SELECT coalesce(json_agg(t), '[]') FROM (SELECT * FROM listed ORDER BY seat, registered) AS t) AS tools,
		(SELECT coalesce(json_agg(c), '[]') FROM (
			SELECT position, at, kind, actor_name AS actor, deltas FROM changes
			WHERE object = 'server:' || (SELECT id FROM target) AND kind <> 'server.starting'
			ORDER BY position DESC LIMIT 50) AS c) AS changes,
		(SELECT row_to_json(r) FROM (
			SELECT r.id AS revision_id, r.author_name AS author, r.at, r.summary FROM changes AS c
			JOIN revisions AS r ON r.id = (c.deltas -> 'revision' ->> 'to')::bigint
			WHERE c.object = 'server:' || (SELECT id FROM target) AND c.kind IN ('server.declared', 'server.revised', 'server.renamed')
			ORDER BY c.position DESC LIMIT 1) AS r) AS declared,
		(SELECT row_to_json(f) FROM (SELECT (SELECT calls FROM all_own) AS calls, ` + figures + ` FROM own) AS f) AS stats,
		(SELECT coalesce(json_agg(b), '[]') FROM (
			SELECT tool, count(*) AS calls, ` + figures + ` FROM own GROUP BY tool ORDER BY calls DESC, tool) AS b) AS by_tool,
		(SELECT coalesce(json_agg(c), '[]') FROM (
			SELECT ` + callColumns + ` FROM own ORDER BY id DESC LIMIT 20) AS c) AS calls`
)

func (s *Servers) readOne(ctx context.Context, tx *db.Tx, about, name string) (*oneServer, error) {
	var row struct {
		factRow
		Target   string             `db:"target"`
		Changes  types.JSONText     `db:"changes"`
		Declared types.NullJSONText `db:"declared"`
		Stats    types.JSONText     `db:"stats"`
		ByTool   types.JSONText     `db:"by_tool"`
		Calls    types.JSONText     `db:"calls"`
	}
	if err := tx.GetContext(ctx, &row, about, name); err != nil {
		return nil, fmt.Errorf("read all about %s: %w", name, err)
	}
	f, err := s.factsOf(ctx, tx, &row.factRow)
	if err != nil {
		return nil, err
	}
	one := &oneServer{facts: *f, target: row.Target}
	parts := []part{{row.Changes, &one.changes}, {row.Stats, &one.stats}, {row.ByTool, &one.byTool}, {row.Calls, &one.calls}}
	if row.Declared.Valid {
		parts = append(parts, part{row.Declared.JSONText, &one.declaredIn})
	}
	for _, part := range parts {
		if err := part.read(); err != nil {
			return nil, err
		}
	}
	return one, nil
}

func (f *facts) anyState(id string) *stateFact {
	for i := range f.states {
		if f.states[i].Server == id {
			return &f.states[i]
		}
	}
	return nil
}

// offeredBy are the rows of one server, those that are offered to nobody
// among them.
func (f *facts) offeredBy(id string, entry *document.Server) []Tool {
	list := []Tool{}
	for _, t := range f.tools {
		if t.Server == id {
			list = append(list, f.row(t, entry))
		}
	}
	slices.SortFunc(list, func(a, b Tool) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// listed reports whether the server was ever listed.
func (f *oneServer) listed() bool {
	return slices.ContainsFunc(f.catalogues, func(c catalogueFact) bool { return c.Server == f.target })
}
