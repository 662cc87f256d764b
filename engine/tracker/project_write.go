package tracker

import (
	"context"
	"fmt"
	"strings"

	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/org"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// WriteProject is what write_project is asked. What is left out stays.
type WriteProject struct {
	Key             string             `json:"key" validate:"required,max=10" jsonschema:"such as ENG"`
	IfVersion       int                `json:"if_version,omitempty" validate:"min=0" jsonschema:"the version you read; refused when it is newer"`
	Name            *string            `json:"name,omitempty" validate:"omitempty,min=1,max=120" jsonschema:"as people read it"`
	Purpose         *string            `json:"purpose,omitempty" validate:"omitempty,max=4000" text:"lines" jsonschema:"what it is for"`
	DefaultAssignee tool.Maybe[string] `json:"default_assignee,omitzero" jsonschema:"who takes new items that name nobody; null for triage"`
	Declare         []string           `json:"declare_labels,omitempty" validate:"max=40,dive,max=100" jsonschema:"labels to add"`
	Rename          []RenamedTag       `json:"rename_labels,omitempty" validate:"max=40,dive" jsonschema:"labels to be called otherwise"`
	Archive         []string           `json:"archive_labels,omitempty" validate:"max=40,dive,max=100" jsonschema:"labels that take no new work"`
}

// RenamedTag gives a label another name; items keep it.
type RenamedTag struct {
	Slug  string `json:"slug" validate:"required,max=100"`
	Label string `json:"label" validate:"required,max=100"`
}

// Object names the project, for the record of a call that was refused.
func (a WriteProject) Object() string { return projectObject(a.Key) }

func declareWriteProject(t *Tracker) tool.Use[WriteProject, Project] {
	return tool.Declare(tool.Spec{
		Name:     "write_project",
		Title:    "Change a project",
		Brief:    "Change a project's name, purpose, default assignee or labels. Repeating it does no harm. Anybody may declare labels; the rest is the lead's and operators'.",
		Access:   access.Write(access.WorkWrite),
		Audience: tool.Operators | tool.Seats,
		Hints:    tool.Hints{Idempotent: true},
		Delivers: "tracker",
	}, t.writeProject)
}

func (t *Tracker) writeProject(ctx context.Context, c *tool.Call, in WriteProject) (Project, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return Project{}, err
	}
	if err := lockProjectsOf(ctx, c, []string{in.Key + "-1"}); err != nil {
		return Project{}, err
	}
	p, err := findProject(ctx, c.Tx, in.Key)
	if err != nil {
		return Project{}, err
	}
	c.About("project:" + p.Key)
	if err := in.allowed(dir, p, c.By); err != nil {
		return Project{}, err
	}
	deltas, err := in.draw(c, dir, &p)
	if err != nil {
		return Project{}, err
	}
	tagged, err := t.writeTags(ctx, c, p.Key, in)
	if err != nil {
		return Project{}, err
	}
	if len(deltas) == 0 && !tagged {
		c.Unchanged()
		return p.told(dir), nil
	}
	if len(deltas) > 0 {
		c.Changed("project.updated", "project:"+p.Key, deltas)
	}
	const save = `UPDATE projects SET name = $2, purpose = $3, default_assignee = $4, version = version + 1 WHERE key = $1 RETURNING version`
	if err := c.Tx.GetContext(ctx, &p.Version, save, p.Key, p.Name, p.Purpose, p.DefaultAssignee); err != nil {
		return Project{}, fmt.Errorf("save project %s: %w", p.Key, err)
	}
	return p.told(dir), nil
}

// leads reports whether the call asks for what is the lead's to decide.
func (in WriteProject) leads() bool {
	return in.Name != nil || in.Purpose != nil || in.DefaultAssignee.Given || len(in.Rename) > 0 || len(in.Archive) > 0
}

// allowed refuses a change of something newer than was read, and what is the
// lead's to decide from a seat that does not lead the project's unit.
func (in WriteProject) allowed(dir *org.Directory, p project, by access.Principal) error {
	if in.IfVersion != 0 && in.IfVersion != p.Version {
		return refusal.Stale.Say("%s is at version %d now; you read %d.", p.Key, p.Version, in.IfVersion).With("current", p.told(dir))
	}
	if !in.leads() {
		return nil
	}
	return ledBy(dir, p, by)
}

// ledBy refuses a seat that does not lead the project's unit.
func ledBy(dir *org.Directory, p project, by access.Principal) error {
	return access.Owns(access.ContainerLead(access.WorkWrite), access.Facts{Leads: dir.Leads(p.Unit)}, by)
}

func (in WriteProject) draw(c *tool.Call, dir *org.Directory, p *project) (map[string]changes.Delta, error) {
	deltas := map[string]changes.Delta{}
	if in.Name != nil && strings.TrimSpace(*in.Name) != p.Name {
		name := strings.TrimSpace(*in.Name)
		if name == "" {
			return nil, refusal.Invalid.Say("A project has a name.").On("name")
		}
		deltas["name"] = changes.Delta{From: p.Name, To: name}
		p.Name = name
	}
	if in.Purpose != nil && *in.Purpose != p.Purpose {
		deltas["purpose"] = changes.Delta{From: size(p.Purpose), To: size(*in.Purpose)}
		p.Purpose = *in.Purpose
	}
	if in.DefaultAssignee.Given {
		party, err := partyNamed(c, dir, in.DefaultAssignee.Value, "default_assignee")
		if err != nil {
			return nil, err
		}
		if party != p.DefaultAssignee {
			deltas["default_assignee"] = changes.Delta{From: calledBy(dir, p.DefaultAssignee), To: calledBy(dir, party)}
			p.DefaultAssignee = party
		}
	}
	return deltas, nil
}

const (
	renameTag  = `UPDATE tags SET label = $3 WHERE project = $1 AND slug = $2 AND label <> $3 RETURNING slug`
	archiveTag = `UPDATE tags SET archived_at = $3 WHERE project = $1 AND slug = $2 AND archived_at IS NULL RETURNING slug`
)

// writeTags declares, renames and archives labels, and reports whether any is
// otherwise now.
func (t *Tracker) writeTags(ctx context.Context, c *tool.Call, key string, in WriteProject) (bool, error) {
	tags, err := tagsIn(ctx, c.Tx, key)
	if err != nil {
		return false, err
	}
	known := map[string]bool{}
	for _, tag := range tags {
		known[tag.Slug] = true
	}
	changed := false
	for _, label := range in.Declare {
		if known[slugged(label)] {
			continue
		}
		if _, err := declareTag(ctx, c, key, label); err != nil {
			return false, err
		}
		changed = true
	}
	for _, step := range in.moves(c) {
		if !known[slugged(step.word)] {
			return false, undeclared(key, []string{step.word}, tags)
		}
		moved, err := moveTag(ctx, c, step.query, key, step.word, step.to, step.told)
		if err != nil {
			return false, err
		}
		changed = changed || moved
	}
	return changed, nil
}

// tagMove is one label that gets another name, or takes no new work.
type tagMove struct {
	query, word string
	to          any
	told        changes.Delta
}

func (in WriteProject) moves(c *tool.Call) []tagMove {
	var list []tagMove
	for _, tag := range in.Rename {
		list = append(list, tagMove{renameTag, tag.Slug, strings.TrimSpace(tag.Label), changes.Delta{From: tag.Slug, To: tag.Label}})
	}
	for _, word := range in.Archive {
		list = append(list, tagMove{archiveTag, word, c.Now, changes.Delta{From: word}})
	}
	return list
}

// moveTag changes one label, and reports whether there was anything to change.
func moveTag(ctx context.Context, c *tool.Call, query, key, word string, to any, told changes.Delta) (bool, error) {
	var moved []string
	err := c.Tx.SelectContext(ctx, &moved, query, key, slugged(word), to)
	if db.Violates(err, "tags_label") {
		return false, refusal.Invalid.Say("%s has another label called %q.", key, to).On("rename_labels")
	}
	if err != nil {
		return false, fmt.Errorf("change the label %s of %s: %w", word, key, err)
	}
	if len(moved) > 0 {
		c.Changed("project.updated", "project:"+key, map[string]changes.Delta{"labels": told})
	}
	return len(moved) > 0, nil
}
