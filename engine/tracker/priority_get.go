package tracker

import (
	"context"
	"fmt"
	"slices"

	"github.com/lib/pq"

	"crewlet/engine/access"
	"crewlet/engine/org"
	"crewlet/engine/tool"
)

// GetPriorities is what get_priorities is asked.
type GetPriorities struct {
	Whose string `json:"whose,omitempty" validate:"max=200" jsonschema:"whose queue: handle, login or name; yours when left out"`
}

func (in GetPriorities) whose() string { return in.Whose }

// QueueRead is somebody's queue and what else is theirs to do, read at one
// moment.
type QueueRead struct {
	Whose      *Person  `json:"whose,omitempty"`
	Priorities []Queued `json:"priorities" jsonschema:"the queue, in its order"`
	Assigned   []Item   `json:"assigned" jsonschema:"open, theirs, and not in the queue; the most urgent first"`
	OrderedBy  *Person  `json:"ordered_by,omitempty" jsonschema:"who ordered it last, where it was not its owner"`
	AsOf       int64    `json:"as_of"`
	// Own says that it is the caller's, and Others whose queues else they may
	// order, for the page.
	Own    bool     `json:"-"`
	Others []Person `json:"-"`
}

func declareGetPriorities(t *Tracker) tool.Use[GetPriorities, QueueRead] {
	return tool.Declare(tool.Spec{
		Name:     "get_priorities",
		Title:    "A queue",
		Brief:    "Read a queue in its order, and what else is assigned to its owner: your own, or that of somebody you lead.",
		Access:   access.OwnOrLead(access.StateRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, t.getPriorities).Owned(queueFacts[GetPriorities](t))
}

// queueRead answers two parts of what myWork does.
const queueRead = `
	WITH rows AS (` + queuedPart + `
	UNION ALL` + assignedPart + `
	)` + partsRead

func (t *Tracker) getPriorities(ctx context.Context, c *tool.Call, in GetPriorities) (QueueRead, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return QueueRead{}, err
	}
	whose, err := queueOf(c, dir, in.Whose)
	if err != nil {
		return QueueRead{}, err
	}
	names := namesOf(c, dir, whose)
	var rows []mineRow
	if err := c.Tx.SelectContext(ctx, &rows, queueRead, pq.Array(names), mostQueued); err != nil {
		return QueueRead{}, fmt.Errorf("read a queue: %w", err)
	}
	out := QueueRead{
		Whose: person(dir, whose), Priorities: []Queued{}, Assigned: []Item{}, AsOf: c.Landed.Position,
		Own: slices.Contains(c.By.Parties(), whose), Others: others(c.By, dir),
	}
	var all Mine
	for _, row := range rows {
		if err := all.take(row, dir, c.By); err != nil {
			return QueueRead{}, err
		}
		if row.Part == "priorities" {
			out.OrderedBy = orderedBy(dir, names, row.SetBy)
		}
	}
	out.Priorities = append(out.Priorities, all.Priorities...)
	for _, it := range all.Assigned {
		if !slices.ContainsFunc(all.Priorities, func(q Queued) bool { return q.Key == it.Key }) {
			out.Assigned = append(out.Assigned, it)
		}
	}
	return out, nil
}

// others is whose queues somebody may order beside their own.
func others(by access.Principal, dir *org.Directory) []Person {
	list := []Person{}
	for _, m := range dir.Members() {
		if !slices.Contains(by.Parties(), m.Party) && standsIn(by, dir, m.Party) {
			list = append(list, *person(dir, m.Party))
		}
	}
	return list
}
