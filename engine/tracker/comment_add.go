package tracker

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"crewlet/engine/access"
	"crewlet/engine/org"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// CommentOnItem is what comment_on_work_item is asked.
type CommentOnItem struct {
	Key     string   `json:"key" validate:"required,max=30" jsonschema:"such as ENG-412"`
	Body    string   `json:"body,omitempty" text:"lines" jsonschema:"Markdown, at most 32 KiB; @handle tells somebody. May be left out where choice says it all"`
	Ask     *Ask     `json:"ask,omitempty" jsonschema:"puts the comment to somebody as a question"`
	Answers string   `json:"answers,omitempty" validate:"max=36" jsonschema:"id of the question this answers; left out, it is the one open question of the item that is put to you; the word none where it answers nothing"`
	Choice  []string `json:"choice,omitempty" validate:"max=8,dive,max=36" jsonschema:"ids of the options chosen (1, 2, …)"`
}

// Object names the item, for the record of a call that was refused.
func (a CommentOnItem) Object() string { return itemObject(a.Key) }

// Said is a comment that landed.
type Said struct {
	Comment Comment `json:"comment"`
	Ask     *Asked  `json:"ask,omitempty" jsonschema:"the question it asked, or answered"`
	Item    string  `json:"item"` // key
	Version int     `json:"version" jsonschema:"of the item; a comment does not move it"`
}

func declareCommentOnItem(t *Tracker) tool.Use[CommentOnItem, Said] {
	return tool.Declare(tool.Spec{
		Name:     "comment_on_work_item",
		Title:    "Comment",
		Brief:    "Say something about a work item. @handle tells somebody; ask puts the comment to one person or seat as a question, with options to choose from if you like; answers and choice answer a question put to you.",
		Access:   access.Write(access.WorkWrite),
		Audience: tool.Operators | tool.Seats,
		Delivers: "tracker",
	}, t.commentOnItem)
}

func (t *Tracker) commentOnItem(ctx context.Context, c *tool.Call, in CommentOnItem) (Said, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return Said{}, err
	}
	it, err := t.lockItem(ctx, c.Tx, in.Key)
	if err != nil {
		return Said{}, err
	}
	c.About(it.object())
	if in.Ask != nil && in.Ask.Body != "" {
		return Said{}, refusal.Invalid.Say("The comment is the question: write it as body.").On("ask.body")
	}
	s := saying{body: in.Body, ask: in.Ask, choice: in.Choice}
	if s.answers, err = answeredBy(ctx, c, dir, it, in); err != nil {
		return Said{}, err
	}
	if s.answers == nil && strings.TrimSpace(in.Body) == "" {
		return Said{}, refusal.Invalid.Say("Write what there is to say.").On("body")
	}
	if s, err = t.say(ctx, c, dir, &it, s); err != nil {
		return Said{}, err
	}
	return said(ctx, c, dir, it, s)
}

// answersNothing is the word for a comment that leaves questions open.
const answersNothing = "none"

// asksOf is the questions of an item: open ones first, then the newest.
const asksOf = `
	SELECT ` + askShape + ` FROM asks a JOIN items i ON i.id = a.item WHERE a.item = $1
	ORDER BY (a.state = 'open') DESC, a.id DESC LIMIT 200`

// answeredBy is the question a comment answers: the one it names, or the only
// open one put to its author. Nil where it answers none.
func answeredBy(ctx context.Context, c *tool.Call, dir *org.Directory, it item, in CommentOnItem) (*askRow, error) {
	if in.Answers == answersNothing || in.Answers == "" && len(in.Choice) == 0 && (it.OpenAsks == 0 || in.Ask != nil) {
		if len(in.Choice) > 0 {
			return nil, refusal.Invalid.Say("A choice answers a question; name it as answers.").On("answers")
		}
		return nil, nil
	}
	asks, err := jsonRows[askRow](ctx, c.Tx, asksOf, it.ID)
	if err != nil {
		return nil, fmt.Errorf("read the questions of %s: %w", it.Key(), err)
	}
	if in.Answers != "" {
		return namedAsk(c, dir, it, asks, in.Answers)
	}
	var mine []askRow
	for _, a := range asks {
		if a.addresses(dir, c.By.Parties()) {
			mine = append(mine, a)
		}
	}
	return inferredAsk(c, dir, it, mine, in.Choice)
}

// namedAsk is the question a call names, when the caller may answer it.
func namedAsk(c *tool.Call, dir *org.Directory, it item, asks []askRow, id string) (*askRow, error) {
	for _, a := range asks {
		if a.ID != strings.ToLower(id) {
			continue
		}
		if err := a.answerable(c, dir); err != nil {
			return nil, err
		}
		return &a, nil
	}
	return nil, refusal.Invalid.Say("%s has no question with this id. Leave answers out when only one is put to you, or send one of those listed.", it.Key()).
		On("answers").With("asks", open(dir, c.By, asks))
}

// inferredAsk is the one open question put to the caller. A question that
// needs a choice is not answered by words alone.
func inferredAsk(c *tool.Call, dir *org.Directory, it item, mine []askRow, choice []string) (*askRow, error) {
	still := open(dir, c.By, mine)
	switch {
	case len(still) == 1:
		if len(choice) == 0 && !mine[0].Free {
			return nil, nil
		}
		return &mine[0], nil
	case len(still) > 1:
		return nil, refusal.Invalid.Say("%d open questions of %s are put to you. Name the one this answers as answers, or send none.", len(still), it.Key()).
			On("answers").With("asks", still)
	case len(choice) == 0:
		return nil, nil
	case len(mine) > 0:
		return nil, mine[0].answerable(c, dir)
	}
	return nil, refusal.Invalid.Say("No open question of %s is put to you, so there is nothing to choose from.", it.Key()).On("choice")
}

// open is those of some questions that are, as answers.
func open(dir *org.Directory, to access.Principal, asks []askRow) []Asked {
	still := []Asked{}
	for _, a := range asks {
		if a.State == "open" {
			still = append(still, a.told(dir, to))
		}
	}
	return still
}

// answerable refuses whoever may not answer a question, and an answer to one
// that is closed. It is for whom it is put to; a lead above them and the
// company's operator may answer in their place, a seat never.
func (a askRow) answerable(c *tool.Call, dir *org.Directory) error {
	if !a.addresses(dir, c.By.Parties()) && !standsIn(c.By, dir, a.Addressee) {
		to := person(dir, a.Addressee)
		return refusal.Forbidden.Say("This question is put to %s; only they, who leads them, or an operator may answer it.", to.Name).
			On("answers").With("reason", "not_self")
	}
	return a.unanswerable(dir, c.By)
}

// standsIn reports whether somebody may act for another's part: whoever
// leads them, and who operates the company without a seat in it. A seat never.
func standsIn(by access.Principal, dir *org.Directory, party string) bool {
	if by.Kind == access.Seat {
		return false
	}
	return by.RecordedAs() == "operator" || dir.Manages(by, party)
}

const saidRow = `
	SELECT json_build_object('comment', ` + commentShape + `, 'ask', (SELECT ` + askShape + ` FROM asks a WHERE a.id = $2))
	FROM comments c JOIN items i ON i.id = c.item WHERE c.id = $1`

// said is a comment as it stands now, with the question it asked or answered.
func said(ctx context.Context, c *tool.Call, dir *org.Directory, it item, s saying) (Said, error) {
	asked := s.id
	if s.answers != nil {
		asked = s.answers.ID
	}
	rows, err := jsonRows[struct {
		Comment commentRow `json:"comment"`
		Ask     *askRow    `json:"ask"`
	}](ctx, c.Tx, saidRow, s.id, asked)
	if err != nil || len(rows) == 0 {
		return Said{}, fmt.Errorf("read what was said about %s: %w", it.Key(), err)
	}
	out := Said{Comment: rows[0].Comment.told(dir, c.By), Item: it.Key(), Version: it.Version}
	if rows[0].Ask != nil {
		told := rows[0].Ask.told(dir, c.By)
		out.Ask = &told
	}
	return out, nil
}

// selecter is a transaction, as far as reading rows goes.
type selecter interface {
	SelectContext(ctx context.Context, dst any, query string, args ...any) error
}

// jsonRows reads rows of one JSON column.
func jsonRows[T any](ctx context.Context, tx selecter, query string, args ...any) ([]T, error) {
	var raw []string
	if err := tx.SelectContext(ctx, &raw, query, args...); err != nil {
		return nil, err
	}
	rows := make([]T, len(raw))
	for i, text := range raw {
		if err := json.Unmarshal([]byte(text), &rows[i]); err != nil {
			return nil, fmt.Errorf("read a row of JSON: %w", err)
		}
	}
	return rows, nil
}
