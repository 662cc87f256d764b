package tracker

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/company"
	"crewlet/engine/org"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// Edition is one save of a description.
type Edition struct {
	Edition int       `json:"edition" jsonschema:"the version of the item that it made"`
	Author  *Person   `json:"author,omitempty"`
	At      time.Time `json:"at"`
	Bytes   int       `json:"bytes"`
	Current bool      `json:"current,omitempty"`
}

// editionRow is a row of item_editions.
type editionRow struct {
	Edition    int       `db:"edition"`
	Author     string    `db:"author"`
	AuthorName string    `db:"author_name"`
	At         time.Time `db:"at"`
	Bytes      int       `db:"bytes"`
	Text       string    `db:"text"`
	Before     int       `db:"before"` // the save before it; 0 for none
}

func (r editionRow) told(dir *org.Directory, it item) Edition {
	return Edition{Edition: r.Edition, Author: author(dir, r.Author, r.AuthorName), At: r.At.UTC(), Bytes: r.Bytes, Current: r.Edition == it.Edition}
}

// ListEditions is what list_editions is asked.
type ListEditions struct {
	Key    string `json:"key" validate:"required,max=30" jsonschema:"such as ENG-412"`
	Before int    `json:"before,omitempty" validate:"min=0" jsonschema:"only saves older than this one: the next of the last answer"`
	Limit  int    `json:"limit,omitempty" validate:"min=0,max=100" jsonschema:"at most so many; 50 when left out"`
}

// Object names the item, for the record of a call that was refused.
func (a ListEditions) Object() string { return itemObject(a.Key) }

// EditionList is a page of a description's saves, the newest first.
type EditionList struct {
	Editions []Edition `json:"editions"`
	Next     int       `json:"next,omitempty" jsonschema:"send it as before for older ones"`
}

func declareListEditions(t *Tracker) tool.Use[ListEditions, EditionList] {
	return tool.Declare(tool.Spec{
		Name:     "list_editions",
		Title:    "Saves of a description",
		Brief:    "List every save of a work item's description: who saved it and when, the newest first.",
		Access:   access.Operator(access.StateRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, t.listEditions)
}

const editionsOf = `
	SELECT edition, author, author_name, at, octet_length(text) AS bytes FROM item_editions
	WHERE item = $1 AND ($2 = 0 OR edition < $2) ORDER BY edition DESC LIMIT $3`

func (t *Tracker) listEditions(ctx context.Context, c *tool.Call, in ListEditions) (EditionList, error) {
	if in.Limit == 0 {
		in.Limit = 50
	}
	dir, err := t.directory(ctx, c)
	if err != nil {
		return EditionList{}, err
	}
	it, err := t.findItem(ctx, c.Tx, in.Key)
	if err != nil {
		return EditionList{}, err
	}
	var rows []editionRow
	if err := c.Tx.SelectContext(ctx, &rows, editionsOf, it.ID, in.Before, in.Limit+1); err != nil {
		return EditionList{}, fmt.Errorf("list the saves of %s: %w", it.Key(), err)
	}
	out := EditionList{Editions: []Edition{}}
	if len(rows) > in.Limit {
		rows = rows[:in.Limit]
		out.Next = rows[in.Limit-1].Edition
	}
	for _, row := range rows {
		out.Editions = append(out.Editions, row.told(dir, it))
	}
	return out, nil
}

// GetEdition is what get_edition is asked.
type GetEdition struct {
	Key     string `json:"key" validate:"required,max=30" jsonschema:"such as ENG-412"`
	Edition int    `json:"edition" validate:"required,min=1" jsonschema:"which save"`
	Against int    `json:"against,omitempty" validate:"min=0" jsonschema:"the save to compare with; the one before it when left out"`
}

// Object names the item, for the record of a call that was refused.
func (a GetEdition) Object() string { return itemObject(a.Key) }

// EditionRead is a save whole, and what it changed.
type EditionRead struct {
	Edition
	Text    string         `json:"text" jsonschema:"Markdown"`
	Against int            `json:"against" jsonschema:"what it is compared with; 0 for nothing"`
	Lines   []company.Line `json:"lines" jsonschema:"the comparison, line by line"`
	Version int            `json:"version" jsonschema:"of the item now; send it as if_match to restore this save"`
}

func declareGetEdition(t *Tracker) tool.Use[GetEdition, EditionRead] {
	return tool.Declare(tool.Spec{
		Name:     "get_edition",
		Title:    "A save of a description",
		Brief:    "Read one save of a work item's description whole, and line by line against another.",
		Access:   access.Operator(access.StateRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, t.getEdition)
}

const oneEdition = `
	SELECT e.edition, e.author, e.author_name, e.at, octet_length(e.text) AS bytes, e.text,
		coalesce((SELECT max(b.edition) FROM item_editions b WHERE b.item = e.item AND b.edition < e.edition), 0) AS before
	FROM item_editions e WHERE e.item = $1 AND e.edition = $2`

// findEdition reads a save that a call names.
func findEdition(ctx context.Context, c *tool.Call, it item, edition int, argument string) (editionRow, error) {
	var row editionRow
	err := c.Tx.GetContext(ctx, &row, oneEdition, it.ID, edition)
	if errors.Is(err, sql.ErrNoRows) {
		return row, refusal.NotFound.Say("The description of %s was not saved as %d. list_editions says what there is.", it.Key(), edition).On(argument)
	}
	if err != nil {
		return row, fmt.Errorf("read save %d of %s: %w", edition, it.Key(), err)
	}
	return row, nil
}

func (t *Tracker) getEdition(ctx context.Context, c *tool.Call, in GetEdition) (EditionRead, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return EditionRead{}, err
	}
	it, err := t.findItem(ctx, c.Tx, in.Key)
	if err != nil {
		return EditionRead{}, err
	}
	row, err := findEdition(ctx, c, it, in.Edition, "edition")
	if err != nil {
		return EditionRead{}, err
	}
	if in.Against == 0 {
		in.Against = row.Before
	}
	var other editionRow
	if in.Against != 0 {
		if other, err = findEdition(ctx, c, it, in.Against, "against"); err != nil {
			return EditionRead{}, asArgument(err, "against")
		}
	}
	return EditionRead{
		Edition: row.told(dir, it), Text: row.Text, Against: in.Against, Lines: company.Compare(other.Text, row.Text), Version: it.Version,
	}, nil
}

// RestoreEdition is what restore_edition is asked.
type RestoreEdition struct {
	Key     string `json:"key" validate:"required,max=30" jsonschema:"such as ENG-412"`
	Edition int    `json:"edition" validate:"required,min=1" jsonschema:"which save"`
	IfMatch int    `json:"if_match" validate:"required,min=1" jsonschema:"the item's version you read; refused when it is newer"`
}

// Object names the item, for the record of a call that was refused.
func (a RestoreEdition) Object() string { return itemObject(a.Key) }

func declareRestoreEdition(t *Tracker) tool.Use[RestoreEdition, Item] {
	return tool.Declare(tool.Spec{
		Name:   "restore_edition",
		Title:  "Restore a description",
		Brief:  "Save a description again as it was. Nothing is lost: the one it replaces stays among the saves.",
		Access: access.Operator(access.WorkWrite),
	}, t.restoreEdition)
}

// restoreEdition is an update like any other, with a text from the past.
func (t *Tracker) restoreEdition(ctx context.Context, c *tool.Call, in RestoreEdition) (Item, error) {
	it, err := t.findItem(ctx, c.Tx, in.Key)
	if err != nil {
		return Item{}, err
	}
	row, err := findEdition(ctx, c, it, in.Edition, "edition")
	if err != nil {
		return Item{}, err
	}
	return t.updateItem(ctx, c, UpdateItem{Key: in.Key, IfMatch: in.IfMatch, Description: &row.Text})
}
