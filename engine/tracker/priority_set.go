package tracker

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/lib/pq"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// SetPriorities is what set_priorities is asked.
type SetPriorities struct {
	Whose string   `json:"whose,omitempty" validate:"max=200" jsonschema:"whose queue: handle, login or name; yours when left out"`
	Items []string `json:"items" validate:"required,max=100,dive,max=30" jsonschema:"keys of open items, the first first; the whole queue; [] empties it"`
}

// Queue is the order in which somebody is to do their work.
type Queue struct {
	Whose     *Person   `json:"whose,omitempty"`
	Items     []string  `json:"items"` // keys
	OrderedBy *Person   `json:"ordered_by,omitempty" jsonschema:"who ordered it, where it was not the owner"`
	At        time.Time `json:"at"`
}

func declareSetPriorities(t *Tracker) tool.Use[SetPriorities, Queue] {
	return tool.Declare(tool.Spec{
		Name:     "set_priorities",
		Title:    "Order a queue",
		Brief:    "Put a queue of work in order: your own, or that of somebody you lead. What somebody else ordered says who did, until its owner orders it anew.",
		Access:   access.OwnOrLead(access.WorkWrite),
		Audience: tool.Operators,
		Hints:    tool.Hints{Idempotent: true},
		Delivers: "tracker",
	}, t.setPriorities).Owned(queueFacts[SetPriorities](t))
}

func (in SetPriorities) whose() string { return in.Whose }

func (t *Tracker) setPriorities(ctx context.Context, c *tool.Call, in SetPriorities) (Queue, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return Queue{}, err
	}
	whose, err := queueOf(c, dir, in.Whose)
	if err != nil {
		return Queue{}, err
	}
	c.About("queue:" + whose)
	items, err := t.queueable(ctx, c, in.Items)
	if err != nil {
		return Queue{}, err
	}
	ids, keys := []string{}, []string{}
	for _, it := range items {
		ids, keys = append(ids, it.ID), append(keys, it.Key())
	}
	q, err := holdQueue(ctx, c, dir, whose)
	if err != nil {
		return Queue{}, err
	}
	out := q.told(c, dir, keys)
	if slices.Equal(q.keys(), keys) && q.stamped(c.By.Party()) {
		c.Unchanged()
		return out, nil
	}
	if err := q.write(ctx, c, ids, keys); err != nil {
		return Queue{}, err
	}
	return out, t.tellQueue(ctx, c, q, items)
}

const queuedItems = `
	SELECT ` + itemColumns + ` FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS u(project, no, ord)
	JOIN items i ON i.project = u.project AND i.no = u.no ORDER BY u.ord`

// queueable reads the items of a queue. Each has to be there, open, and named
// once.
func (t *Tracker) queueable(ctx context.Context, c *tool.Call, keys []string) ([]item, error) {
	if len(keys) > mostQueued {
		return nil, refusal.Invalid.Say("A queue holds at most %d items.", mostQueued).On("items")
	}
	projects, numbers := []string{}, []int64{}
	for _, key := range keys {
		project, no, ok := parseKey(key)
		if !ok {
			return nil, refusal.Invalid.Say("%q is no key of an item; one is such as ENG-412.", key).On("items")
		}
		projects, numbers = append(projects, project), append(numbers, no)
	}
	var items []item
	if err := c.Tx.SelectContext(ctx, &items, queuedItems, pq.Array(projects), pq.Array(numbers)); err != nil {
		return nil, fmt.Errorf("read the items of a queue: %w", err)
	}
	found := map[string]bool{}
	for _, it := range items {
		if over(it.Status) {
			return nil, refusal.Invalid.Say("%s is finished; a queue holds open items.", it.Key()).On("items")
		}
		if found[it.Key()] {
			return nil, refusal.Invalid.Say("%s is named twice.", it.Key()).On("items")
		}
		found[it.Key()] = true
	}
	for i, project := range projects {
		if key := fmt.Sprintf("%s-%d", project, numbers[i]); !found[key] {
			return nil, refusal.Invalid.Say("There is no item %s.", key).On("items")
		}
	}
	return items, nil
}

// tellQueue tells the owner of a queue what somebody else put into it or
// further to its front.
func (t *Tracker) tellQueue(ctx context.Context, c *tool.Call, q queue, items []item) error {
	for place, it := range items {
		if err := t.tellPlace(ctx, c, q, it, place); err != nil {
			return err
		}
	}
	return nil
}
