package history

import (
	"context"
	"fmt"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// PollEvents is what poll_events is asked.
type PollEvents struct {
	After  *int64   `json:"after,omitempty" validate:"omitempty,min=0" jsonschema:"next of the last answer, or the position of a write of yours; left out: from now on"`
	Topics []string `json:"topics,omitempty" validate:"max=50,dive,max=200" jsonschema:"only these, such as item:ENG-412, work:ENG, servers; left out: all you may follow"`
	Limit  int      `json:"limit,omitempty" validate:"min=0,max=200" jsonschema:"at most so many; 50 when left out"`
}

// declarePollEvents: whoever is known may ask; which rows they see is decided
// row by row.
func declarePollEvents(h *History) tool.Use[PollEvents, EventPage] {
	return tool.Declare(tool.Spec{
		Name:     "poll_events",
		Title:    "What happened since",
		Brief:    "Read what happened after a cursor, in order: kind (comment.added, ask.answered, …), object, who. Answers at once.",
		Access:   access.Self(),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, h.pollEvents)
}

// What one answer looks through at most, in rows: a caller who sees few of
// them is handed the cursor that far on.
const (
	eventBatch   = 1000
	eventBatches = 10
)

const eventsAfter = `
	SELECT position, at, actor, actor_name, kind, object
	FROM changes WHERE position > $1 ORDER BY position LIMIT $2`

func (h *History) pollEvents(ctx context.Context, c *tool.Call, in PollEvents) (EventPage, error) {
	see, err := sightOf(c.By, in.Topics)
	if err != nil {
		return EventPage{}, err
	}
	if in.Limit == 0 {
		in.Limit = 50
	}
	asOf := c.Landed.Position
	out := EventPage{Events: []Event{}, Next: asOf}
	if in.After == nil {
		return out, nil
	}
	if *in.After > asOf { // of another log, or of this one before it was restored
		return EventPage{}, refusal.Invalid.Say("The log stands at %d, and %d is past it: whatever comes in between would be missed. Go on after %d.", asOf, *in.After, asOf).
			On("after").With("position", asOf)
	}
	out.Next = *in.After
	for range eventBatches {
		var rows []changes.Change
		if err := c.Tx.SelectContext(ctx, &rows, eventsAfter, out.Next, eventBatch); err != nil {
			return out, fmt.Errorf("read the log after %d: %w", out.Next, err)
		}
		out.take(rows, see, in.Limit)
		if len(rows) < eventBatch || len(out.Events) == in.Limit {
			break
		}
	}
	out.More = out.Next < asOf
	return out, nil
}

// take adds what is seen of the rows, and moves the cursor as far as it looked.
func (p *EventPage) take(rows []changes.Change, see sight, limit int) {
	for _, row := range rows {
		if len(p.Events) == limit {
			return
		}
		p.Next = row.Position
		if see.sees(row) {
			p.Events = append(p.Events, Event{
				Position: row.Position, At: row.At, Kind: row.Kind, Object: row.Object, Actor: row.Actor, ActorName: row.ActorName,
			})
		}
	}
}
