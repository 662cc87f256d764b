package tracker

import (
	"context"
	"fmt"
	"slices"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// PlacePriority is what place_priority is asked.
type PlacePriority struct {
	Whose  string `json:"whose,omitempty" validate:"max=200" jsonschema:"whose queue: handle, login or name; yours when left out"`
	Item   string `json:"item" validate:"required,max=30" jsonschema:"key of an open item"`
	Before string `json:"before,omitempty" validate:"max=30" jsonschema:"key of the item of the queue it goes in front of; without before and after a new one goes to the end"`
	After  string `json:"after,omitempty" validate:"max=30" jsonschema:"key of the item of the queue it follows"`
	Out    bool   `json:"out,omitempty" jsonschema:"take it out of the queue instead"`
}

func (in PlacePriority) whose() string { return in.Whose }

func declarePlacePriority(t *Tracker) tool.Use[PlacePriority, Queue] {
	return tool.Declare(tool.Spec{
		Name:     "place_priority",
		Title:    "Place an item in a queue",
		Brief:    "Put one item into a queue, move it in front of or behind another, or take it out; the others keep their order. Your own queue, or that of somebody you lead.",
		Access:   access.OwnOrLead(access.WorkWrite),
		Audience: tool.Operators,
		Hints:    tool.Hints{Idempotent: true},
		Delivers: "tracker",
	}, t.placePriority).Owned(queueFacts[PlacePriority](t))
}

// placePriority moves one item under the queue's lock, so that what others
// placed meanwhile stays. Finished items, which nobody is shown, leave.
func (t *Tracker) placePriority(ctx context.Context, c *tool.Call, in PlacePriority) (Queue, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return Queue{}, err
	}
	whose, err := queueOf(c, dir, in.Whose)
	if err != nil {
		return Queue{}, err
	}
	c.About("queue:" + whose)
	it, err := t.placeable(ctx, c, in)
	if err != nil {
		return Queue{}, err
	}
	q, err := holdQueue(ctx, c, dir, whose)
	if err != nil {
		return Queue{}, err
	}
	now := slices.DeleteFunc(slices.Clone(q.held), func(e entry) bool { return !e.Open })
	next, place, err := in.placed(now, entry{ID: it.ID, Key: it.Key(), Open: true})
	if err != nil {
		return Queue{}, err
	}
	ids, keys := []string{}, []string{}
	for _, e := range next {
		ids, keys = append(ids, e.ID), append(keys, e.Key)
	}
	if slices.Equal(keys, queue{held: now}.keys()) {
		c.Unchanged()
		return q.told(c, dir, keys), nil
	}
	if err := q.write(ctx, c, ids, keys); err != nil || in.Out {
		return q.told(c, dir, keys), err
	}
	return q.told(c, dir, keys), t.tellPlace(ctx, c, q, it, place)
}

// placeable reads the item that is placed: open, unless it is to leave.
func (t *Tracker) placeable(ctx context.Context, c *tool.Call, in PlacePriority) (item, error) {
	said := 0
	for _, is := range []bool{in.Before != "", in.After != "", in.Out} {
		if is {
			said++
		}
	}
	if said > 1 {
		return item{}, refusal.Invalid.Say("Send one of before, after and out.").On("item")
	}
	if in.Out {
		return t.named(ctx, c.Tx, in.Item, "item")
	}
	items, err := t.queueable(ctx, c, []string{in.Item})
	if err != nil {
		return item{}, onArgument(err, "items", "item")
	}
	return items[0], nil
}

// placed is a queue with the item where it is to be, and that place.
func (in PlacePriority) placed(now []entry, it entry) ([]entry, int, error) {
	was := slices.IndexFunc(now, func(e entry) bool { return e.Key == it.Key })
	rest := slices.DeleteFunc(slices.Clone(now), func(e entry) bool { return e.Key == it.Key })
	if in.Out {
		return rest, -1, nil
	}
	beside, argument, place := in.Before, "before", 0
	if in.After != "" {
		beside, argument, place = in.After, "after", 1
	}
	switch at := slices.IndexFunc(rest, func(e entry) bool { return e.Key == canonical(beside) }); {
	case beside != "" && canonical(beside) == it.Key:
		return nil, 0, refusal.Invalid.Say("%s goes beside another item of the queue, not beside itself.", it.Key).On(argument)
	case beside == "" && was >= 0:
		return now, was, nil
	case beside == "":
		place = len(rest)
	case at < 0:
		return nil, 0, refusal.Invalid.Say("%s is not in the queue, beside which this was to go. See how the queue is now, and place it again.", beside).On(argument)
	default:
		place += at
	}
	if was < 0 && len(rest) == mostQueued {
		return nil, 0, refusal.Invalid.Say("A queue holds at most %d items; take one out first.", mostQueued).On("item")
	}
	return slices.Insert(rest, place, it), place, nil
}

// canonical is a key as rows have it; what is none stays.
func canonical(key string) string {
	if project, no, ok := parseKey(key); ok {
		return fmt.Sprintf("%s-%d", project, no)
	}
	return key
}
