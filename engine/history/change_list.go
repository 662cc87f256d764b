package history

import (
	"context"
	"fmt"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/tool"
)

// ListChanges is what list_changes is asked.
type ListChanges struct {
	After int64 `json:"after,omitempty" validate:"min=0" jsonschema:"only rows later than this position: the next of the last answer; 0 for the beginning"`
	Limit int   `json:"limit,omitempty" validate:"min=0,max=100" jsonschema:"at most so many; 100 when left out"`
}

// ChangePage is a stretch of the log, in commit order.
type ChangePage struct {
	Changes []changes.Change `json:"changes"`
	Next    int64            `json:"next"` // send it as after; nothing between is ever missed
}

func declareListChanges(h *History) tool.Use[ListChanges, ChangePage] {
	return tool.Declare(tool.Spec{
		Name:     "list_changes",
		Title:    "The log of changes",
		Brief:    "Read the company's log of changes after a position, in commit order.",
		Access:   access.Operator(access.AuditRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, h.listChanges)
}

const changesAfter = `
	SELECT position, at, actor, actor_name, recorded_as, credential, kind, object, deltas
	FROM changes WHERE position > $1 ORDER BY position LIMIT $2`

func (h *History) listChanges(ctx context.Context, c *tool.Call, in ListChanges) (ChangePage, error) {
	if in.Limit == 0 {
		in.Limit = 100
	}
	out := ChangePage{Changes: []changes.Change{}, Next: in.After}
	if err := c.Tx.SelectContext(ctx, &out.Changes, changesAfter, in.After, in.Limit); err != nil {
		return out, fmt.Errorf("read the log after %d: %w", in.After, err)
	}
	if n := len(out.Changes); n > 0 {
		out.Next = out.Changes[n-1].Position
	}
	return out, nil
}
