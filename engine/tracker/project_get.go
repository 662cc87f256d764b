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
	Key string `json:"key" validate:"required,max=10" jsonschema:"such as ENG"`
}

// Object names the project, for the record of a call that was refused.
func (a DescribeProject) Object() string { return projectObject(a.Key) }

// ProjectRead is a project with what is needed to file work in it.
type ProjectRead struct {
	Project
	Labels  []Tag    `json:"labels"`
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

const labelsOf = `
	SELECT coalesce(json_agg(json_build_object('slug', slug, 'label', label, 'archived', archived_at IS NOT NULL) ORDER BY lower(label), slug), '[]')
	FROM tags WHERE project = $1`

func (t *Tracker) describeProject(ctx context.Context, c *tool.Call, in DescribeProject) (ProjectRead, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return ProjectRead{}, err
	}
	p, err := findProject(ctx, c.Tx, in.Key)
	if err != nil {
		return ProjectRead{}, err
	}
	var labels []byte
	if err := c.Tx.GetContext(ctx, &labels, labelsOf, p.Key); err != nil {
		return ProjectRead{}, fmt.Errorf("read the labels of %s: %w", p.Key, err)
	}
	out := ProjectRead{Project: p.told(dir), Members: []Person{}, Lists: Lists{Types(), Statuses(), Priorities()}, AsOf: c.Landed.Position}
	if err := json.Unmarshal(labels, &out.Labels); err != nil {
		return ProjectRead{}, fmt.Errorf("read the labels of %s: %w", p.Key, err)
	}
	for _, m := range dir.Members() {
		if m.Unit != "" && m.Unit == p.Unit {
			out.Members = append(out.Members, *person(dir, m.Party))
		}
	}
	return out, nil
}
