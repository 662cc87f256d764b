package tracker

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// ListProjects is what list_projects is asked.
type ListProjects struct {
	Q        string `json:"q,omitempty" validate:"max=200" jsonschema:"part of a key or a name"`
	Unit     string `json:"unit,omitempty" validate:"max=64" jsonschema:"id of the unit that owns it"`
	Archived string `json:"archived,omitempty" validate:"omitempty,oneof=false only true" jsonschema:"false when left out; true for both"`
	Sort     string `json:"sort,omitempty" validate:"omitempty,oneof=key -key name -name unit -unit open -open done -done closed -closed last_change -last_change" jsonschema:"key when left out"`
}

// ProjectList is the projects that fit, and how many there are of each kind.
type ProjectList struct {
	Projects []Project     `json:"projects"`
	Total    int           `json:"total"`
	Census   ProjectCensus `json:"census"`
	AsOf     int64         `json:"as_of"`
	// Own is the project of the caller's unit, and Everybody whom work could be
	// given to: what the form that files an item offers.
	Own       string   `json:"-"`
	Everybody []Person `json:"-"`
}

// ProjectCensus counts all projects, whatever was asked.
type ProjectCensus struct {
	Active   int `json:"active"`
	Archived int `json:"archived"`
}

func declareListProjects(t *Tracker) tool.Use[ListProjects, ProjectList] {
	return tool.Declare(tool.Spec{
		Name:     "list_projects",
		Title:    "Projects",
		Brief:    "List projects with their leads, how much work each has, and when it last changed.",
		Access:   access.Read(access.StateRead),
		Audience: tool.Operators | tool.Seats,
		Mode:     tool.Read,
	}, t.listProjects)
}

// A unit owns one project at most, so there are never more than a company has
// units: they are read whole and narrowed here.
const allProjects = `SELECT ` + projectColumns + ` FROM projects ORDER BY key`

func (t *Tracker) listProjects(ctx context.Context, c *tool.Call, in ListProjects) (ProjectList, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return ProjectList{}, err
	}
	var rows []project
	if err := c.Tx.SelectContext(ctx, &rows, allProjects); err != nil {
		return ProjectList{}, fmt.Errorf("list the projects: %w", err)
	}
	out := ProjectList{Projects: []Project{}, AsOf: c.Landed.Position, Own: ownProject(dir, c.By), Everybody: everybody(dir)}
	for _, row := range rows {
		if row.ArchivedAt != nil {
			out.Census.Archived++
		} else {
			out.Census.Active++
		}
		if in.fits(row) {
			out.Projects = append(out.Projects, row.told(dir))
		}
	}
	out.Total = len(out.Projects)
	slices.SortStableFunc(out.Projects, in.order())
	return out, nil
}

func (in ListProjects) fits(p project) bool {
	q := folded(in.Q)
	return (in.Archived == "true" || (p.ArchivedAt != nil) == (in.Archived == "only")) &&
		(in.Unit == "" || p.Unit == in.Unit) &&
		(q == "" || strings.Contains(folded(p.Name), q) || strings.Contains(strings.ToLower(p.Key), q))
}

func (in ListProjects) order() func(a, b Project) int {
	by, down := strings.CutPrefix(in.Sort, "-")
	return func(a, b Project) int {
		n := compare(by, a, b)
		if down {
			n = -n
		}
		if n == 0 {
			n = strings.Compare(a.Key, b.Key)
		}
		return n
	}
}

func compare(by string, a, b Project) int {
	switch by {
	case "name":
		return strings.Compare(folded(a.Name), folded(b.Name))
	case "unit":
		return strings.Compare(a.Unit, b.Unit)
	case "open":
		return a.Open - b.Open
	case "done":
		return a.Done - b.Done
	case "closed":
		return a.Closed - b.Closed
	case "last_change":
		return instant(a).Compare(instant(b))
	default:
		return strings.Compare(a.Key, b.Key)
	}
}

func instant(p Project) time.Time {
	if p.ChangedAt == nil {
		return time.Time{}
	}
	return *p.ChangedAt
}
