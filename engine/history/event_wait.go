package history

import (
	"context"
	"slices"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// WaitEvents is what wait_events is asked.
type WaitEvents struct {
	PollEvents
	Timeout *int `json:"timeout_ms,omitempty" validate:"omitempty,min=0,max=30000" jsonschema:"how long to wait, in milliseconds; 30000 when left out"`
}

// longestWait is how long a caller waits who does not say.
const longestWait = 30 * time.Second

// declareWaitEvents: the waiting happens ahead of the read, so that it holds
// no transaction and no connection.
func declareWaitEvents(h *History) tool.Use[WaitEvents, EventPage] {
	return tool.Declare(tool.Spec{
		Name:     "wait_events",
		Title:    "Wait for what happens",
		Brief:    "As poll_events, but wait until something newer is there, or the timeout has passed. For an answer, wait on topic item:KEY after the position of your question until ask.answered comes, then read it with list_asks {item, state: answered}.",
		Access:   access.Self(),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, func(ctx context.Context, c *tool.Call, in WaitEvents) (EventPage, error) {
		return h.pollEvents(ctx, c, in.PollEvents)
	}).Ahead(h.awaitEvents)
}

// awaitEvents comes back when there is something to read. It listens before it
// looks, so nothing falls between the two.
func (h *History) awaitEvents(ctx context.Context, c *tool.Call, in WaitEvents) (WaitEvents, error) {
	see, err := sightOf(c.By, in.Topics)
	if err != nil {
		return in, err
	}
	woken := make(chan struct{}, 1)
	from, leave := h.feed.Subscribe(func(rows []changes.Change) {
		if slices.ContainsFunc(rows, func(row changes.Change) bool { return (in.After == nil || row.Position > *in.After) && see.sees(row) }) {
			select {
			case woken <- struct{}{}:
			default: // it is awake already
			}
		}
	})
	defer leave()
	cursor := in
	if in.After == nil {
		cursor.After = &from
	}
	if *cursor.After != from { // a cursor past the log is refused at once
		there, err := tool.Do(ctx, h.run, h.PollEvents, &tool.Call{By: c.By, Door: c.Door, RequestID: c.RequestID}, cursor.PollEvents)
		if err != nil || len(there.Events) > 0 || there.More {
			return cursor, err
		}
	}
	return cursor, wait(ctx, c, in.Timeout, woken)
}

func wait(ctx context.Context, c *tool.Call, timeout *int, woken <-chan struct{}) error {
	long := longestWait
	if timeout != nil {
		long = time.Duration(*timeout) * time.Millisecond
	}
	timer := time.NewTimer(long)
	defer timer.Stop()
	select {
	case <-woken:
	case <-timer.C:
	case <-ctx.Done():
		return ctx.Err()
	case <-c.Ends:
		return refusal.Unavailable.Say("The wait was ended: this node stops, or your credential ended. Ask again with the same cursor; nothing is missed.").After(time.Second)
	}
	return nil
}
