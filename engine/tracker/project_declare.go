package tracker

import (
	"context"
	"encoding/json"
	"fmt"

	"crewlet/config/document"
	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/tool"
)

// DeclareProjects is what declare_projects is asked: nothing.
type DeclareProjects struct{}

// Declared is which projects are new or changed hands.
type Declared struct {
	Projects []string `json:"projects"`
}

func declareDeclareProjects(t *Tracker) tool.Use[DeclareProjects, Declared] {
	return tool.Declare(tool.Spec{
		Name:   "declare_projects",
		Title:  "Projects as declared",
		Brief:  "Bring the projects in line with the company document.",
		Access: access.EngineOnly(),
	}, t.declareProjects)
}

// declareProjects is for the start of a node: a company that was declared
// before there was a tracker has its projects afterwards.
func (t *Tracker) declareProjects(ctx context.Context, c *tool.Call, _ DeclareProjects) (Declared, error) {
	doc, err := t.from.Document(ctx, c)
	if err != nil {
		return Declared{}, err
	}
	keys, err := t.declare(ctx, c, doc)
	if len(keys) == 0 {
		c.Unchanged()
	}
	return Declared{Projects: keys}, err
}

// Revised takes a revision of the company document in the transaction that
// stores it: a unit's project is there as soon as it is declared.
func (t *Tracker) Revised(ctx context.Context, c *tool.Call, doc *document.Document) error {
	_, err := t.declare(ctx, c, doc)
	return err
}

// A project that nobody declares any more keeps its items and has no unit.
const declareProjects = `
	WITH wanted AS (
		SELECT key, name, purpose, unit FROM json_to_recordset($1::json) AS w(key text, name text, purpose text, unit text)
	), orphaned AS (
		UPDATE projects p SET unit = '', version = version + 1
		WHERE p.unit <> '' AND NOT EXISTS (SELECT 1 FROM wanted w WHERE w.key = p.key) RETURNING p.key
	), kept AS (
		INSERT INTO projects (key, name, purpose, unit, created_at) SELECT key, name, purpose, unit, $2 FROM wanted
		ON CONFLICT (key) DO UPDATE SET unit = excluded.unit, version = projects.version + 1 WHERE projects.unit <> excluded.unit
		RETURNING key, unit
	)
	SELECT key, unit FROM kept UNION ALL SELECT key, '' FROM orphaned ORDER BY key`

func (t *Tracker) declare(ctx context.Context, c *tool.Call, doc *document.Document) ([]string, error) {
	if doc.Tracker.Backend == "none" {
		return []string{}, nil // work is kept in another program; what there was stays as it is
	}
	type wanted struct {
		Key     string `json:"key"`
		Name    string `json:"name"`
		Purpose string `json:"purpose"`
		Unit    string `json:"unit"`
	}
	list := []wanted{}
	for _, placed := range doc.AllUnits() {
		if u := placed.Unit; u.Project != "" {
			list = append(list, wanted{u.Project, u.Name, u.Purpose, u.ID})
		}
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil, fmt.Errorf("encode the projects: %w", err)
	}
	var rows []struct {
		Key  string `db:"key"`
		Unit string `db:"unit"`
	}
	if err := c.Tx.SelectContext(ctx, &rows, declareProjects, string(text), c.Now); err != nil {
		return nil, fmt.Errorf("declare the projects: %w", err)
	}
	keys := []string{}
	for _, row := range rows {
		keys = append(keys, row.Key)
		c.Changed("project.declared", "project:"+row.Key, map[string]changes.Delta{"unit": {To: row.Unit}})
	}
	return keys, nil
}
