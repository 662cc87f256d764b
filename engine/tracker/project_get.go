package tracker

import (
	"context"
	"encoding/json"
	"fmt"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// DescribeProject is what describe_project is asked.
type DescribeProject struct {
	Key    string `json:"key" validate:"required,max=10" jsonschema:"such as ENG"`
	Limit  int    `json:"limit,omitempty" validate:"min=0,max=512" jsonschema:"at most so many labels; all when left out"`
	Offset int    `json:"offset,omitempty" validate:"min=0" jsonschema:"how many labels to pass over"`
}

// Object names the project, for the record of a call that was refused.
func (a DescribeProject) Object() string { return projectObject(a.Key) }

// ProjectRead is a project with what is needed to file work in it.
type ProjectRead struct {
	Project
	Labels  []Tag    `json:"labels"`
	Total   int      `json:"labels_total"`
	Members []Person `json:"members" jsonschema:"who is in its unit"`
	Lists   Lists    `json:"lists"`
	AsOf    int64    `json:"as_of"`
}

// Lists are the words items are described with.
type Lists struct {
	Types      []string `json:"types"`
	Statuses   []string `json:"statuses"`
	Priorities []string `json:"priorities"`
}

func declareDescribeProject(t *Tracker) tool.Use[DescribeProject, ProjectRead] {
	return tool.Declare(tool.Spec{
		Name:     "describe_project",
		Title:    "A project",
		Brief:    "Read a project: its purpose, lead, labels, members, and the types, statuses and priorities an item can have.",
		Access:   access.Read(access.StateRead),
		Audience: tool.Operators | tool.Seats,
		Mode:     tool.Read,
	}, t.describeProject)
}

// labelsOf is so many labels of a project, $2, after the first $3, and how many
// there are.
const labelsOf = `
	SELECT (SELECT count(*) FROM tags WHERE project = $1) AS total,
		(SELECT coalesce(json_agg(json_build_object('slug', g.slug, 'label', g.label, 'archived', g.archived_at IS NOT NULL) ORDER BY lower(g.label), g.slug), '[]')
			FROM (SELECT slug, label, archived_at FROM tags WHERE project = $1 ORDER BY lower(label), slug LIMIT $2 OFFSET $3) AS g) AS labels`

func (t *Tracker) describeProject(ctx context.Context, c *tool.Call, in DescribeProject) (ProjectRead, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return ProjectRead{}, err
	}
	p, err := findProject(ctx, c.Tx, in.Key)
	if err != nil {
		return ProjectRead{}, err
	}
	if in.Limit == 0 {
		in.Limit = maxTags // all
	}
	var row struct {
		Total  int    `db:"total"`
		Labels []byte `db:"labels"`
	}
	if err := c.Tx.GetContext(ctx, &row, labelsOf, p.Key, in.Limit, in.Offset); err != nil {
		return ProjectRead{}, fmt.Errorf("read the labels of %s: %w", p.Key, err)
	}
	out := ProjectRead{Project: p.told(dir), Total: row.Total, Members: []Person{}, Lists: Lists{Types(), Statuses(), Priorities()}, AsOf: c.Landed.Position}
	if err := json.Unmarshal(row.Labels, &out.Labels); err != nil {
		return ProjectRead{}, fmt.Errorf("read the labels of %s: %w", p.Key, err)
	}
	for _, m := range dir.Members() {
		if m.Unit != "" && m.Unit == p.Unit {
			out.Members = append(out.Members, *person(dir, m.Party))
		}
	}
	return out, nil
}
