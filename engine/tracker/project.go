package tracker

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"crewlet/db"
	"crewlet/engine/org"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// project is a row of projects, also as JSON.
type project struct {
	Key             string     `db:"key" json:"key"`
	Name            string     `db:"name" json:"name"`
	Purpose         string     `db:"purpose" json:"purpose"`
	Unit            string     `db:"unit" json:"unit"`
	DefaultAssignee string     `db:"default_assignee" json:"default_assignee"` // a party
	ArchivedAt      *time.Time `db:"archived_at" json:"archived_at"`
	Open            int        `db:"open" json:"open"`
	Done            int        `db:"done" json:"done"`
	Closed          int        `db:"closed" json:"closed"`
	ChangedAt       *time.Time `db:"changed_at" json:"changed_at"`
	ChangedBy       string     `db:"changed_by" json:"changed_by"`
	ChangedAs       string     `db:"changed_as" json:"changed_as"`
	Version         int        `db:"version" json:"version"`
}

// along is a project that comes along with rows of something else, in one of
// them, instead of by a question of its own.
type along struct{ *project }

// Scan reads a project, or nothing, as the database answers it.
func (a *along) Scan(src any) error {
	switch src := src.(type) {
	case nil:
		return nil
	case []byte:
		return json.Unmarshal(src, &a.project)
	default:
		return fmt.Errorf("a project is JSON, not %T", src)
	}
}

const projectColumns = `key, name, purpose, unit, default_assignee, archived_at, open, done, closed, changed_at, changed_by, changed_as, version`

func projectObject(key string) string {
	if key = strings.ToUpper(strings.TrimSpace(key)); projectShape.MatchString(key) {
		return "project:" + key
	}
	return "project:"
}

var projectShape = regexp.MustCompile(`^[A-Z][A-Z0-9]{1,9}$`)

// Project is a project as every door answers it. Counts are of items.
type Project struct {
	Key             string     `json:"key"`
	Name            string     `json:"name"`
	Purpose         string     `json:"purpose,omitempty" said:""`
	Unit            string     `json:"unit,omitempty" jsonschema:"id of the unit that owns it"`
	Lead            *Person    `json:"lead,omitempty"`
	DefaultAssignee *Person    `json:"default_assignee,omitempty"`
	Archived        bool       `json:"archived,omitempty"`
	Open            int        `json:"open" jsonschema:"items not finished"`
	Done            int        `json:"done"`
	Closed          int        `json:"closed" jsonschema:"items cancelled or closed"`
	ChangedAt       *time.Time `json:"last_change,omitempty"`
	ChangedBy       string     `json:"last_change_by,omitempty"`
	ChangedAs       string     `json:"last_change_as,omitempty" jsonschema:"agent, human, operator or system"`
	Version         int        `json:"version"`
}

func (p project) told(dir *org.Directory) Project {
	out := Project{
		Key: p.Key, Name: p.Name, Purpose: p.Purpose, Unit: p.Unit, DefaultAssignee: person(dir, p.DefaultAssignee), Archived: p.ArchivedAt != nil,
		Open: p.Open, Done: p.Done, Closed: p.Closed, ChangedBy: p.ChangedBy, ChangedAs: p.ChangedAs, Version: p.Version,
	}
	if u, ok := dir.Unit(p.Unit); ok {
		out.Lead = person(dir, u.Lead)
	}
	if p.ChangedAt != nil {
		at := p.ChangedAt.UTC()
		out.ChangedAt = &at
	}
	return out
}

const projectByKey = `SELECT ` + projectColumns + ` FROM projects WHERE key = $1`

// findProject reads the project a call addresses.
func findProject(ctx context.Context, tx *db.Tx, key string) (project, error) {
	var p project
	key = strings.ToUpper(strings.TrimSpace(key))
	err := tx.GetContext(ctx, &p, projectByKey, key)
	if errors.Is(err, sql.ErrNoRows) {
		return p, noProject(ctx, tx, key)
	}
	if err != nil {
		return p, fmt.Errorf("read project %s: %w", key, err)
	}
	return p, nil
}

const projectKeys = `SELECT key FROM projects WHERE archived_at IS NULL ORDER BY key LIMIT 50`

// noProject refuses a project that is not there, and names those that are.
func noProject(ctx context.Context, tx *db.Tx, key string) error {
	var keys []string
	if err := tx.SelectContext(ctx, &keys, projectKeys); err != nil {
		return fmt.Errorf("list the projects: %w", err)
	}
	no := refusal.NotFound.Say("There is no project %q. There are %s.", key, strings.Join(keys, ", "))
	if len(keys) == 0 {
		no = refusal.NotFound.Say("There is no project %q, and no other: a unit of the company declares one as its \"project\".", key)
	}
	return no.On("project").With("projects", keys)
}

// asArgument makes "the thing addressed is not there" what it is when an
// argument named it beside: the argument's fault.
func asArgument(err error, argument string) error {
	no, ok := errors.AsType[*refusal.Refusal](err)
	if !ok || no.Class != refusal.NotFound {
		return err
	}
	wrong := refusal.Invalid.Say("%s", no.Says).On(argument)
	wrong.Details = no.Details
	return wrong
}

const touchProject = `
	UPDATE projects SET changed_at = $2, changed_by = $3, changed_as = $4,
		open = open + $5, done = done + $6, closed = closed + $7
	WHERE key = $1`

// moved keeps a project's counts and last change when an item went from one
// status group to another; "" stands for not being there.
func moved(ctx context.Context, c *tool.Call, key, from, to string) error {
	n := map[string]int{}
	n[column(from)]--
	n[column(to)]++
	_, err := c.Tx.ExecContext(ctx, touchProject, key, c.Now, c.By.Name, c.By.RecordedAs(), n["open"], n["done"], n["closed"])
	if err != nil {
		return fmt.Errorf("count the items of %s: %w", key, err)
	}
	return nil
}

// column is the count a status group belongs to.
func column(group string) string {
	switch group {
	case "not_started", "active":
		return "open"
	default:
		return group
	}
}
