package tracker

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/org"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// GetItem is what get_work_item is asked: one of the two.
type GetItem struct {
	Key    string `json:"key,omitempty" validate:"max=30" jsonschema:"such as ENG-412"`
	ID     string `json:"id,omitempty" validate:"omitempty,uuid" jsonschema:"instead of key"`
	Before string `json:"comments_before,omitempty" validate:"omitempty,uuid" jsonschema:"comments_next of the last answer: older comments alone"`
	Offset int    `json:"offset,omitempty" validate:"min=0" jsonschema:"description_next of the last answer: more of the description alone"`
	// Whole asks for more than one answer holds: pages have room for it.
	Whole bool `json:"-"`
}

// Object names the item, for the record of a call that was refused.
func (a GetItem) Object() string { return itemObject(a.Key) }

// ItemRead is an item whole: its text, who follows it, what it is linked with,
// what is asked and said about it, and what happened to it.
type ItemRead struct {
	Item
	ID            string   `json:"id"`
	ProjectName   string   `json:"project_name"`
	DescribedBy   []Person `json:"description_by" jsonschema:"who saved the description, the last first"`
	Description   string   `json:"description" said:"description_by" jsonschema:"Markdown"`
	Bytes         int      `json:"total_bytes" jsonschema:"how long the whole description is"`
	More          int      `json:"description_next,omitempty" jsonschema:"send it as offset for what follows"`
	Edition       int      `json:"description_version" jsonschema:"the version at which it was last saved; send your version as base_version with a new one"`
	Editions      int      `json:"description_saves" jsonschema:"how often it was saved; list_editions has them"`
	Watchers      []Person `json:"watchers"`
	Collaborators []Person `json:"collaborators"`
	Links
	Declared     []Tag     `json:"project_labels" jsonschema:"left out where they are many: describe_project has them"`
	Asks         []Asked   `json:"asks" jsonschema:"open questions"`
	Thread       []Comment `json:"thread" jsonschema:"the newest comments, the newest first"`
	CommentsNext string    `json:"comments_next,omitempty"`
	History      []Event   `json:"history" jsonschema:"the newest changes, the newest first"`
	HistoryNext  string    `json:"history_next,omitempty" jsonschema:"send it to task_activity as cursor"`
	Watching     bool      `json:"watching" jsonschema:"whether you watch it"`
	AsOf         int64     `json:"as_of"`
	// Everybody is whom the item could be given to. Pages offer them; a
	// program asks the directory.
	Everybody []Person `json:"-"`
}

// Links are the items an item has to do with.
type Links struct {
	WaitingOn  []Linked `json:"waiting_on"`
	Blocking   []Linked `json:"blocking"`
	Linked     []Linked `json:"linked"`
	Duplicates []Linked `json:"duplicates"`
	Parts      []Linked `json:"parts" jsonschema:"subtasks"`
	Trail      []Linked `json:"trail" jsonschema:"what it is part of, the outermost first"`
}

// Linked is another item, as it stands beside this one.
type Linked struct {
	Key    string `json:"key"`
	Title  string `json:"title"`
	Status string `json:"status"`
}

func declareGetItem(t *Tracker) tool.Use[GetItem, ItemRead] {
	return tool.Declare(tool.Spec{
		Name:     "get_work_item",
		Title:    "An item",
		Brief:    "Read a work item: description, people, links, open questions, the newest 20 comments (answers among them) and 50 changes. What does not fit has a next.",
		Access:   access.Read(access.StateRead),
		Audience: tool.Operators | tool.Seats,
		Mode:     tool.Read,
	}, t.getItem).Glance(func(in GetItem) bool { return in.Before == "" })
}

// whole is an item and all that is beside it, in one look.
type whole struct {
	item
	ProjectName string `db:"project_name"`
	Description string `db:"description"`
	Editions    int    `db:"editions"`
	Writers     []byte `db:"writers"`
	Parties     []byte `db:"parties"`
	Links       []byte `db:"links"`
	Tags        []byte `db:"tags"`
	Asks        []byte `db:"asks"`
	Said        []byte `db:"said"`
	Happened    []byte `db:"happened"`
	Position    int64  `db:"position"` // where in the log it was read
}

const (
	oneLinked = `json_build_object('key', o.project || '-' || o.no, 'title', o.title, 'status', o.status)`

	wholeItem = `
		SELECT ` + itemColumns + `, i.description, ` + writersJSON + ` AS writers, (` + changes.Position + `) AS position, (SELECT name FROM projects WHERE key = i.project) AS project_name,
			(SELECT count(*) FROM item_editions e WHERE e.item = i.id) AS editions,
			(SELECT coalesce(json_agg(json_build_object('party', f.party, 'role', f.role) ORDER BY f.party), '[]') FROM item_parties f WHERE f.item = i.id) AS parties,
			json_build_object(
				'waiting_on', (SELECT json_agg(` + oneLinked + ` ORDER BY o.project, o.no) FROM item_links l JOIN items o ON o.id = l.other WHERE l.item = i.id AND l.kind = 'waiting_on'),
				'blocking', (SELECT json_agg(` + oneLinked + ` ORDER BY o.project, o.no) FROM item_links l JOIN items o ON o.id = l.item WHERE l.other = i.id AND l.kind = 'waiting_on'),
				'linked', (SELECT json_agg(` + oneLinked + ` ORDER BY o.project, o.no) FROM items o WHERE o.id IN (
					SELECT l.other FROM item_links l WHERE l.item = i.id AND l.kind = 'linked' UNION SELECT l.item FROM item_links l WHERE l.other = i.id AND l.kind = 'linked')),
				'duplicates', (SELECT json_agg(` + oneLinked + ` ORDER BY o.project, o.no) FROM item_links l JOIN items o ON o.id = l.other WHERE l.item = i.id AND l.kind = 'duplicates'),
				'parts', (SELECT json_agg(` + oneLinked + ` ORDER BY o.no) FROM (SELECT s.project, s.no, s.title, s.status FROM items s WHERE s.parent = i.id ORDER BY s.no LIMIT 200) AS o),
				'trail', (
					WITH RECURSIVE up AS (
						SELECT p.id, p.parent, 1 AS n FROM items p WHERE p.id = i.parent
						UNION ALL SELECT p.id, p.parent, up.n + 1 FROM up JOIN items p ON p.id = up.parent WHERE up.n < 20
					) SELECT json_agg(` + oneLinked + ` ORDER BY up.n DESC) FROM up JOIN items o ON o.id = up.id)
			) AS links,
			(SELECT coalesce(json_agg(json_build_object('slug', g.slug, 'label', g.label, 'archived', g.archived_at IS NOT NULL) ORDER BY lower(g.label), g.slug), '[]')
				FROM tags g WHERE g.project = i.project) AS tags,
			` + asksJSON + ` AS asks, ` + commentsJSON + ` AS said, ` + historyJSON + ` AS happened
		FROM items i`

	wholeByKey = wholeItem + ` WHERE i.project = $1 AND i.no = $2`
	wholeByID  = wholeItem + ` WHERE i.id = $1`
)

func (t *Tracker) getItem(ctx context.Context, c *tool.Call, in GetItem) (ItemRead, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return ItemRead{}, err
	}
	row, err := readWhole(ctx, c, in)
	if err != nil {
		return ItemRead{}, err
	}
	c.Stands(row.Position)
	c.About(row.object())
	out := ItemRead{
		Item: row.told(dir), ID: row.ID, ProjectName: row.ProjectName, Description: row.Description, Edition: row.Edition, AsOf: c.Landed.Position,
		Bytes: len(row.Description), Editions: row.Editions,
	}
	if err := out.beside(row, dir, c.By); err != nil {
		return ItemRead{}, err
	}
	out.Everybody = everybody(dir)
	if in.Before != "" {
		out.Thread, out.CommentsNext, err = commentsBefore(ctx, c, dir, row.ID, in.Before)
	}
	if err != nil || in.Whole {
		return out, err
	}
	return out, out.fit(in)
}

func readWhole(ctx context.Context, c *tool.Call, in GetItem) (whole, error) {
	var row whole
	var err error
	project, no, ok := parseKey(in.Key)
	switch {
	case in.ID != "" && in.Key == "":
		err = c.Tx.GetContext(ctx, &row, wholeByID, in.ID)
	case in.ID != "" || in.Key == "":
		return row, refusal.Invalid.Say("Send the item's key or its id, and not both.").On("key")
	case !ok:
		return row, noItem(in.Key)
	default:
		err = c.Tx.GetContext(ctx, &row, wholeByKey, project, no)
	}
	if errors.Is(err, sql.ErrNoRows) && in.ID != "" {
		return row, refusal.NotFound.Say("There is no item with this id.").On("id")
	}
	if errors.Is(err, sql.ErrNoRows) {
		return row, noItem(in.Key)
	}
	if err != nil {
		return row, fmt.Errorf("read an item whole: %w", err)
	}
	return row, nil
}

// beside reads what came as JSON beside the item.
func (out *ItemRead) beside(row whole, dir *org.Directory, to access.Principal) error {
	var parties []struct{ Party, Role string }
	var asks []askRow
	thread, next, wrong := readComments(row.Said, dir, to, commentPage)
	var odd error
	out.History, out.HistoryNext, odd = readHistory(row.Happened, dir)
	var unread error
	out.DescribedBy, unread = readWriters(row.Writers, dir)
	wrong = errors.Join(wrong, odd, unread, json.Unmarshal(row.Parties, &parties), json.Unmarshal(row.Links, &out.Links),
		json.Unmarshal(row.Tags, &out.Declared), json.Unmarshal(row.Asks, &asks))
	if wrong != nil {
		return fmt.Errorf("read what is beside %s: %w", row.Key(), wrong)
	}
	for _, list := range []*[]Linked{&out.WaitingOn, &out.Blocking, &out.Linked, &out.Duplicates, &out.Parts, &out.Trail} {
		*list = append([]Linked{}, *list...)
	}
	out.Thread, out.CommentsNext, out.Asks = thread, next, toldAll(dir, to, asks)
	out.Watchers, out.Collaborators = []Person{}, []Person{}
	for _, p := range parties {
		into := &out.Watchers
		if p.Role == "collaborator" {
			into = &out.Collaborators
		}
		*into = append(*into, *person(dir, p.Party))
		out.Watching = out.Watching || p.Role == "watcher" && slices.Contains(to.Parties(), p.Party)
	}
	return nil
}

const commentsPast = `
	SELECT coalesce(json_agg(x.said ORDER BY x.id DESC), '[]') FROM (
		SELECT c.id, ` + commentShape + ` AS said FROM comments c JOIN items i ON i.id = c.item
		WHERE c.item = $1 AND c.id < $2 ORDER BY c.id DESC LIMIT 21) AS x`

// commentsBefore is a page of older comments.
func commentsBefore(ctx context.Context, c *tool.Call, dir *org.Directory, item, before string) ([]Comment, string, error) {
	var raw []byte
	if err := c.Tx.GetContext(ctx, &raw, commentsPast, item, before); err != nil {
		return nil, "", fmt.Errorf("read older comments: %w", err)
	}
	return readComments(raw, dir, c.By, commentPage)
}
