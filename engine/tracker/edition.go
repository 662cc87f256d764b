package tracker

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
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

// editionRow is a row of item_editions, with what its item is at now.
type editionRow struct {
	Edition    int       `db:"edition"`
	Author     string    `db:"author"`
	AuthorName string    `db:"author_name"`
	At         time.Time `db:"at"`
	Bytes      int       `db:"bytes"`
	Text       string    `db:"text"`
	Current    int       `db:"current"` // the item's newest save
	Version    int       `db:"version"` // the item's
	Against    int       `db:"against"` // the save it is compared with; 0 for none
	Other      string    `db:"other"`   // and what that one says
}

func (r editionRow) told(dir *org.Directory) Edition {
	return Edition{Edition: r.Edition, Author: author(dir, r.Author, r.AuthorName), At: r.At.UTC(), Bytes: r.Bytes, Current: r.Edition == r.Current}
}

// writersJSON is who saved the description of an item read as i, the last
// first: words of each may stand in it.
const writersJSON = `(SELECT coalesce(json_agg(json_build_object('party', w.author, 'name', w.author_name) ORDER BY w.last DESC), '[]') FROM (
	SELECT e.author, max(e.author_name) AS author_name, max(e.edition) AS last FROM item_editions e
	WHERE e.item = i.id GROUP BY e.author ORDER BY max(e.edition) DESC LIMIT 8) AS w)`

// readWriters reads what writersJSON answers, each once.
func readWriters(raw []byte, dir *org.Directory) ([]Person, error) {
	var rows []struct{ Party, Name string }
	if err := json.Unmarshal(raw, &rows); err != nil {
		return nil, fmt.Errorf("read who described an item: %w", err)
	}
	writers := []Person{}
	for _, row := range rows {
		if who := *author(dir, row.Party, row.Name); !slices.Contains(writers, who) {
			writers = append(writers, who)
		}
	}
	return writers, nil
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
		Name:   "list_editions",
		Title:  "Saves of a description",
		Brief:  "List every save of a work item's description: who saved it and when, the newest first.",
		Access: access.Operator(access.StateRead),
		Mode:   tool.Read,
	}, t.listEditions)
}

const editionsOf = `
	SELECT e.edition, e.author, e.author_name, e.at, octet_length(e.text) AS bytes, i.edition AS current
	FROM item_editions e JOIN items i ON i.id = e.item
	WHERE i.project = $1 AND i.no = $2 AND ($3 = 0 OR e.edition < $3) ORDER BY e.edition DESC LIMIT $4`

func (t *Tracker) listEditions(ctx context.Context, c *tool.Call, in ListEditions) (EditionList, error) {
	if in.Limit == 0 {
		in.Limit = 50
	}
	dir, err := t.directory(ctx, c)
	if err != nil {
		return EditionList{}, err
	}
	project, no, ok := parseKey(in.Key)
	if !ok {
		return EditionList{}, noItem(in.Key)
	}
	var rows []editionRow
	if err := c.Tx.SelectContext(ctx, &rows, editionsOf, project, no, in.Before, in.Limit+1); err != nil {
		return EditionList{}, fmt.Errorf("list the saves of %s: %w", in.Key, err)
	}
	out := EditionList{Editions: []Edition{}}
	if len(rows) == 0 { // it may never have been described
		_, err := t.findItem(ctx, c.Tx, in.Key)
		return out, err
	}
	if len(rows) > in.Limit {
		rows = rows[:in.Limit]
		out.Next = rows[in.Limit-1].Edition
	}
	for _, row := range rows {
		out.Editions = append(out.Editions, row.told(dir))
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
	Newest  int            `json:"newest" jsonschema:"the save that stands"`
	// Everybody is who a text may mention: pages draw it as it is read.
	Everybody []Person `json:"-"`
}

func declareGetEdition(t *Tracker) tool.Use[GetEdition, EditionRead] {
	return tool.Declare(tool.Spec{
		Name:   "get_edition",
		Title:  "A save of a description",
		Brief:  "Read one save of a work item's description whole, and line by line against another.",
		Access: access.Operator(access.StateRead),
		Mode:   tool.Read,
	}, t.getEdition)
}

// oneEdition is a save with the one it is compared with: $4, or where that is
// 0 the one before it.
const oneEdition = `
	SELECT e.edition, e.author, e.author_name, e.at, octet_length(e.text) AS bytes, e.text, i.edition AS current, i.version,
		coalesce(b.edition, 0) AS against, coalesce(b.text, '') AS other
	FROM items i JOIN item_editions e ON e.item = i.id
	LEFT JOIN LATERAL (
		SELECT o.edition, o.text FROM item_editions o
		WHERE o.item = i.id AND CASE WHEN $4::int = 0 THEN o.edition < e.edition ELSE o.edition = $4::int END
		ORDER BY o.edition DESC LIMIT 1
	) AS b ON true
	WHERE i.project = $1 AND i.no = $2 AND e.edition = $3`

// findEdition reads a save that a call names.
func (t *Tracker) findEdition(ctx context.Context, c *tool.Call, key string, edition, against int) (editionRow, error) {
	var row editionRow
	project, no, ok := parseKey(key)
	if !ok {
		return row, noItem(key)
	}
	err := c.Tx.GetContext(ctx, &row, oneEdition, project, no, edition, against)
	if errors.Is(err, sql.ErrNoRows) {
		if _, err := t.findItem(ctx, c.Tx, key); err != nil {
			return row, err
		}
		return row, unsaved(refusal.NotFound, edition).On("edition")
	}
	if err != nil {
		return row, fmt.Errorf("read save %d of %s: %w", edition, key, err)
	}
	if row.Against != against && against != 0 {
		return row, unsaved(refusal.Invalid, against).On("against")
	}
	return row, nil
}

func unsaved(class refusal.Class, edition int) *refusal.Refusal {
	return class.Say("The description was not saved as %d. list_editions says what there is.", edition)
}

func (t *Tracker) getEdition(ctx context.Context, c *tool.Call, in GetEdition) (EditionRead, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return EditionRead{}, err
	}
	row, err := t.findEdition(ctx, c, in.Key, in.Edition, in.Against)
	if err != nil {
		return EditionRead{}, err
	}
	return EditionRead{
		Edition: row.told(dir), Text: row.Text, Against: row.Against, Lines: company.Compare(row.Other, row.Text), Version: row.Version,
		Newest: row.Current, Everybody: everybody(dir),
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
		Name:     "restore_edition",
		Title:    "Restore a description",
		Brief:    "Save a description again as it was. Nothing is lost: the one it replaces stays among the saves.",
		Access:   access.Operator(access.WorkWrite),
		Delivers: "tracker",
	}, t.restoreEdition)
}

// restoreEdition is an update like any other, with a text from the past.
func (t *Tracker) restoreEdition(ctx context.Context, c *tool.Call, in RestoreEdition) (Item, error) {
	row, err := t.findEdition(ctx, c, in.Key, in.Edition, 0)
	if err != nil {
		return Item{}, err
	}
	return t.updateItem(ctx, c, UpdateItem{Key: in.Key, IfMatch: in.IfMatch, Description: &row.Text})
}
