package servers

import (
	"context"
	"encoding/json"
	"fmt"

	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/tool"
)

// nameTools is what name_tools is asked.
type nameTools struct {
	Declared []declared `json:"declared" jsonschema:"the servers there are, in the document's order"`
}

// renamed says how many tools have another name now.
type renamed struct {
	Renamed int `json:"renamed"`
}

func declareNameTools(s *Servers) tool.Use[nameTools, renamed] {
	return tool.Declare(tool.Spec{
		Name:   "name_tools",
		Title:  "Name the tools",
		Brief:  "Give the servers' tools their registered names, and forget those of servers that are gone.",
		Access: access.EngineOnly(),
		Hints:  tool.Hints{Idempotent: true},
	}, s.named)
}

func (s *Servers) named(ctx context.Context, c *tool.Call, in nameTools) (renamed, error) {
	c.About("catalogue:")
	if err := lockNames(ctx, c.Tx); err != nil {
		return renamed{}, err
	}
	if err := forgetGone(ctx, c.Tx); err != nil {
		return renamed{}, err
	}
	now, err := namings(ctx, c.Tx)
	if err != nil {
		return renamed{}, err
	}
	moved, err := s.reassign(ctx, c.Tx, now, in.Declared, nil)
	if err != nil {
		return renamed{}, err
	}
	if len(moved) == 0 {
		c.Unchanged()
		return renamed{}, nil
	}
	c.Changed("catalogue.renamed", "catalogue:", map[string]changes.Delta{"tools": {To: clipped(moved)}})
	return renamed{Renamed: len(moved)}, nil
}

const (
	// Names are given by one writer at a time; readers are not in its way.
	lockTools = `LOCK TABLE server_tools IN SHARE ROW EXCLUSIVE MODE`

	allNames = `SELECT server, seat, utility, name, base, registered, resolved FROM server_tools`

	// What no node runs and nobody declares is gone, with all it listed.
	goneCatalogues = `
		DELETE FROM server_catalogues AS c
		WHERE NOT EXISTS (SELECT FROM server_states AS s WHERE s.server = c.server)
			AND NOT EXISTS (SELECT FROM mcp_servers AS m WHERE m.id = c.server AND m.declared)`

	setNames = `
		UPDATE server_tools AS t SET base = n.base, registered = n.registered, resolved = n.resolved
		FROM json_to_recordset($1::json) AS n(server uuid, seat text, utility boolean, name text, base text, registered text, resolved boolean)
		WHERE t.server = n.server AND t.seat = n.seat AND t.utility = n.utility AND t.name = n.name`
)

func lockNames(ctx context.Context, tx *db.Tx) error {
	if _, err := tx.ExecContext(ctx, lockTools); err != nil {
		return fmt.Errorf("hold the tools' names: %w", err)
	}
	return nil
}

func forgetGone(ctx context.Context, tx *db.Tx) error {
	if _, err := tx.ExecContext(ctx, goneCatalogues); err != nil {
		return fmt.Errorf("forget the catalogues of servers that are gone: %w", err)
	}
	return nil
}

func namings(ctx context.Context, tx *db.Tx) ([]*naming, error) {
	var rows []*naming
	if err := tx.SelectContext(ctx, &rows, allNames); err != nil {
		return nil, fmt.Errorf("read the tools' names: %w", err)
	}
	return rows, nil
}

// reassign names all tools, those in kept and those in fresh, and writes down
// what became of the kept ones. It answers the new names of those that moved.
func (s *Servers) reassign(ctx context.Context, tx *db.Tx, kept []*naming, order []declared, fresh []*naming) ([]string, error) {
	before := make(map[*naming]naming, len(kept))
	for _, t := range kept {
		before[t] = *t
	}
	assign(append(append([]*naming{}, kept...), fresh...), order, s.reserved())
	var changed []*naming
	var moved []string
	for _, t := range kept {
		if *t != before[t] {
			changed = append(changed, t)
		}
		if t.Registered != before[t].Registered {
			moved = append(moved, t.Registered)
		}
	}
	if len(changed) == 0 {
		return nil, nil
	}
	list, err := json.Marshal(changed)
	if err != nil {
		return nil, fmt.Errorf("encode the tools' names: %w", err)
	}
	if _, err := tx.ExecContext(ctx, setNames, string(list)); err != nil {
		return nil, fmt.Errorf("write the tools' names: %w", err)
	}
	return moved, nil
}

// reserved are the builtins' names, which no server's tool can have.
func (s *Servers) reserved() map[string]bool {
	names := map[string]bool{}
	for _, t := range s.builtins() {
		names[t.Name] = true
	}
	return names
}

// clipped keeps a list of names in the log short.
func clipped(names []string) []string {
	const most = 100
	return names[:min(len(names), most)]
}
