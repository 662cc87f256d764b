package tracker

import (
	"context"
	"fmt"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/org"
	"crewlet/engine/tool"
)

// WithdrawAsk is what withdraw_ask is asked.
type WithdrawAsk struct {
	Ask string `json:"ask" validate:"required,uuid" jsonschema:"id of the question"`
}

// Object names the question, for the record of a call that was refused.
func (a WithdrawAsk) Object() string { return "ask:" + a.Ask }

// Withdrawn is a question nobody has to answer any more.
type Withdrawn struct {
	Ask     Asked  `json:"ask"`
	Item    string `json:"item"` // key
	Version int    `json:"version" jsonschema:"of the item; it does not move"`
}

func declareWithdrawAsk(t *Tracker) tool.Use[WithdrawAsk, Withdrawn] {
	return tool.Declare(tool.Spec{
		Name:     "withdraw_ask",
		Title:    "Withdraw a question",
		Brief:    "Withdraw an open question of your own. What was asked stays as a comment.",
		Access:   access.Authored(access.WorkWrite),
		Audience: tool.Operators | tool.Seats,
		Delivers: "tracker",
	}, t.withdrawAsk).Owned(func(ctx context.Context, c *tool.Call, in WithdrawAsk) (access.Facts, error) {
		ask, err := findAsk(ctx, c, in.Ask)
		return access.Facts{Author: ask.Asker}, err
	})
}

func (t *Tracker) withdrawAsk(ctx context.Context, c *tool.Call, in WithdrawAsk) (Withdrawn, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return Withdrawn{}, err
	}
	it, ask, err := t.lockAsk(ctx, c, in.Ask)
	if err != nil {
		return Withdrawn{}, err
	}
	switch ask.State {
	case "answered":
		return Withdrawn{}, onArgument(ask.unanswerable(dir, c.By), "answers", "ask")
	case "withdrawn":
		c.Unchanged()
		return Withdrawn{Ask: ask.told(dir, c.By), Item: it.Key(), Version: it.Version}, nil
	}
	if err := t.takeBack(ctx, c, dir, it, ask); err != nil {
		return Withdrawn{}, err
	}
	ask.State = "withdrawn"
	return Withdrawn{Ask: ask.told(dir, c.By), Item: it.Key(), Version: it.Version}, nil
}

const withdrawOpen = `
	WITH closed AS (UPDATE asks SET state = 'withdrawn' WHERE id = $1 AND state = 'open' RETURNING item)
	UPDATE items SET open_asks = open_asks - 1 WHERE id = $2 AND id IN (SELECT item FROM closed)`

// takeBack closes an open question without an answer, and tells whom it was
// put to. The item's row is locked.
func (t *Tracker) takeBack(ctx context.Context, c *tool.Call, dir *org.Directory, it item, ask askRow) error {
	if _, err := c.Tx.ExecContext(ctx, withdrawOpen, ask.ID, it.ID); err != nil {
		return fmt.Errorf("withdraw question %s: %w", ask.ID, err)
	}
	c.Changed("ask.withdrawn", it.object(), map[string]changes.Delta{
		"ask": {To: ask.ID}, "state": {From: "open", To: "withdrawn"}, "to": {To: calledBy(dir, ask.Addressee)},
	})
	return t.tell(ctx, c, it, notice{Kind: "ask.withdrawn", Summary: "withdrew a question: " + excerpt(ask.Body), Comment: ask.ID},
		reasons{ask.Addressee: byAsk})
}
