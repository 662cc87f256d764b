package tracker

import (
	"context"
	"errors"
	"fmt"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// AnswerAsk is what answer_ask is asked.
type AnswerAsk struct {
	Ask    string   `json:"ask" validate:"required,uuid" jsonschema:"id of the question, from list_asks or my_work"`
	Choice []string `json:"choice,omitempty" validate:"max=8,dive,max=36" jsonschema:"ids of the options chosen (1, 2, …)"`
	Body   string   `json:"body,omitempty" text:"lines" jsonschema:"the answer in your own words, Markdown"`
}

// Object names the question, for the record of a call that was refused.
func (a AnswerAsk) Object() string { return "ask:" + a.Ask }

func declareAnswerAsk(t *Tracker) tool.Use[AnswerAsk, Said] {
	return tool.Declare(tool.Spec{
		Name:     "answer_ask",
		Title:    "Answer a question",
		Brief:    "Answer an open question that is put to you (or to somebody you lead): by option id, in words, or both. The answer lands as a comment on the item, and whoever asked is told.",
		Access:   access.Operator(access.WorkWrite),
		Audience: tool.Operators,
		Delivers: "tracker",
	}, t.answerAsk)
}

func (t *Tracker) answerAsk(ctx context.Context, c *tool.Call, in AnswerAsk) (Said, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return Said{}, err
	}
	it, ask, err := t.lockAsk(ctx, c, in.Ask)
	if err != nil {
		return Said{}, err
	}
	if err := ask.answerable(c, dir); err != nil {
		return Said{}, onArgument(err, "answers", "ask")
	}
	s, err := t.say(ctx, c, dir, &it, saying{body: in.Body, choice: in.Choice, answers: &ask})
	if err != nil {
		return Said{}, err
	}
	return said(ctx, c, dir, it, s)
}

// onArgument moves the sentence beside one argument to another, where a rule
// is asked under a different name.
func onArgument(err error, from, to string) error {
	no, ok := errors.AsType[*refusal.Refusal](err)
	if !ok || no.Fields[from] == "" {
		return err
	}
	says := no.Fields[from]
	delete(no.Fields, from)
	return no.Beside(to, says)
}

const oneAsk = `SELECT ` + askShape + ` FROM asks a JOIN items i ON i.id = a.item WHERE a.id = $1`

// findAsk reads the question a call addresses.
func findAsk(ctx context.Context, c *tool.Call, id string) (askRow, error) {
	rows, err := jsonRows[askRow](ctx, c.Tx, oneAsk, id)
	if err != nil {
		return askRow{}, fmt.Errorf("read question %s: %w", id, err)
	}
	if len(rows) == 0 {
		return askRow{}, refusal.NotFound.Say("There is no question with this id.").On("ask")
	}
	return rows[0], nil
}

// lockAsk is findAsk, with its item held: whatever becomes of a question is
// decided under the item's row.
func (t *Tracker) lockAsk(ctx context.Context, c *tool.Call, id string) (item, askRow, error) {
	ask, err := findAsk(ctx, c, id)
	if err != nil {
		return item{}, ask, err
	}
	it, err := t.lockItem(ctx, c.Tx, ask.key())
	if err != nil {
		return it, ask, err
	}
	c.About(it.object())
	ask, err = findAsk(ctx, c, id) // as it stands now that nobody else moves it
	return it, ask, err
}
