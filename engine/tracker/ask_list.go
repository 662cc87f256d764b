package tracker

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// ListAsks is what list_asks is asked.
type ListAsks struct {
	Whose  string `json:"whose,omitempty" validate:"omitempty,oneof=me mine all" jsonschema:"me: put to you, when left out; mine: put by you; all: everybody's"`
	Item   string `json:"item,omitempty" validate:"max=30" jsonschema:"key of one item; then everybody's unless whose is sent"`
	State  string `json:"state,omitempty" validate:"omitempty,oneof=open answered withdrawn all" jsonschema:"open when left out"`
	Cursor string `json:"cursor,omitempty" validate:"omitempty,uuid" jsonschema:"next of the last answer"`
	Limit  int    `json:"limit,omitempty" validate:"min=0,max=100" jsonschema:"at most so many; 50 when left out"`
}

// AskList is a page of questions, the newest first.
type AskList struct {
	Asks []Asked `json:"asks"`
	Next string  `json:"next,omitempty" jsonschema:"send it as cursor for older ones"`
	AsOf int64   `json:"as_of"`
}

func declareListAsks(t *Tracker) tool.Use[ListAsks, AskList] {
	return tool.Declare(tool.Spec{
		Name:     "list_asks",
		Title:    "Questions",
		Brief:    "List questions: those put to you, those you put, those of an item, or all. Open ones unless state says otherwise, the newest first. An answered one holds its answer.",
		Access:   access.Operator(access.StateRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, t.listAsks)
}

func (t *Tracker) listAsks(ctx context.Context, c *tool.Call, in ListAsks) (AskList, error) {
	if in.Limit == 0 {
		in.Limit = 50
	}
	dir, err := t.directory(ctx, c)
	if err != nil {
		return AskList{}, err
	}
	w := &where{by: c.By, dir: dir, now: c.Now}
	w.asks(in)
	query := "SELECT " + askShape + " FROM asks a JOIN items i ON i.id = a.item WHERE " + strings.Join(append(w.conds, "true"), " AND ") +
		" ORDER BY a.id DESC LIMIT " + w.arg(in.Limit+1)
	var raw []string
	if err := c.Tx.SelectBuilt(ctx, &raw, query, w.args...); err != nil {
		return AskList{}, fmt.Errorf("list questions: %w", err)
	}
	var rows []askRow
	if err := json.Unmarshal([]byte("["+strings.Join(raw, ",")+"]"), &rows); err != nil {
		return AskList{}, fmt.Errorf("read questions: %w", err)
	}
	out := AskList{AsOf: c.Landed.Position}
	if len(rows) > in.Limit {
		rows = rows[:in.Limit]
		out.Next = rows[in.Limit-1].ID
	}
	out.Asks = toldAll(dir, c.By, rows)
	if len(rows) == 0 && in.Item != "" {
		_, err = t.named(ctx, c.Tx, in.Item, "item")
	}
	return out, err
}

// asks turns what is asked into conditions.
func (w *where) asks(in ListAsks) {
	if in.Item != "" {
		project, no, _ := parseKey(in.Item)
		w.add("i.project = %s AND i.no = %s", w.arg(project), w.arg(no))
	}
	switch {
	case in.Whose == "mine":
		w.anyOf("a.asker", w.by.Parties(), false)
	case in.Whose == "me", in.Whose == "" && in.Item == "":
		w.anyOf("a.addressee", w.by.Parties(), false)
	}
	switch in.State {
	case "":
		w.add("a.state = 'open'")
	case "all":
	default:
		w.add("a.state = %s", w.arg(in.State))
	}
	if in.Cursor != "" {
		w.add("a.id < %s", w.arg(in.Cursor))
	}
}
