package tracker

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/org"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// EditComment is what edit_comment is asked.
type EditComment struct {
	Comment   string `json:"comment" validate:"required,uuid" jsonschema:"id of the comment"`
	Body      string `json:"body" validate:"required" text:"lines" jsonschema:"the whole new text, Markdown, at most 32 KiB"`
	IfVersion int    `json:"if_version,omitempty" validate:"min=0" jsonschema:"the version you read; refused when it is newer"`
}

// Object names the comment, for the record of a call that was refused.
func (a EditComment) Object() string { return "comment:" + a.Comment }

// Commented is a comment as it stands after a change of its own.
type Commented struct {
	Comment Comment `json:"comment"`
	Item    string  `json:"item"` // key
	Version int     `json:"version" jsonschema:"of the comment"`
}

func declareEditComment(t *Tracker) tool.Use[EditComment, Commented] {
	return tool.Declare(tool.Spec{
		Name:     "edit_comment",
		Title:    "Edit a comment",
		Brief:    "Replace the text of a comment of your own. What it said before stays readable.",
		Access:   access.Authored(access.WorkWrite),
		Audience: tool.Operators | tool.Seats,
		Delivers: "tracker",
	}, t.editComment).Owned(func(ctx context.Context, c *tool.Call, in EditComment) (access.Facts, error) {
		said, err := findComment(ctx, c, in.Comment)
		return access.Facts{Author: said.Author}, err
	})
}

// saidOn is a comment with the key of its item.
type saidOn struct {
	commentRow
	Project string `json:"project"`
	No      int64  `json:"no"`
}

func (s saidOn) key() string { return fmt.Sprintf("%s-%d", s.Project, s.No) }

const oneComment = `
	SELECT jsonb_build_object('project', i.project, 'no', i.no) || ` + commentShape + `::jsonb
	FROM comments c JOIN items i ON i.id = c.item WHERE c.id = $1`

// findComment reads the comment a call addresses.
func findComment(ctx context.Context, c *tool.Call, id string) (saidOn, error) {
	rows, err := jsonRows[saidOn](ctx, c.Tx, oneComment, id)
	if err != nil {
		return saidOn{}, fmt.Errorf("read comment %s: %w", id, err)
	}
	if len(rows) == 0 {
		return saidOn{}, refusal.NotFound.Say("There is no comment with this id.").On("comment")
	}
	return rows[0], nil
}

// lockComment is findComment, with its item held.
func (t *Tracker) lockComment(ctx context.Context, c *tool.Call, id string) (item, saidOn, error) {
	said, err := findComment(ctx, c, id)
	if err != nil {
		return item{}, said, err
	}
	it, err := t.lockItem(ctx, c.Tx, said.key())
	if err != nil {
		return it, said, err
	}
	c.About(it.object())
	said, err = findComment(ctx, c, id) // as it stands now that nobody else moves it
	return it, said, err
}

func (t *Tracker) editComment(ctx context.Context, c *tool.Call, in EditComment) (Commented, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return Commented{}, err
	}
	it, said, err := t.lockComment(ctx, c, in.Comment)
	if err != nil {
		return Commented{}, err
	}
	switch {
	case strings.TrimSpace(in.Body) == "":
		return Commented{}, refusal.Invalid.Say("A comment says something; remove it instead.").On("body")
	case said.RemovedAt != nil:
		return Commented{}, refusal.Conflict.Say("This comment was removed, so it cannot be edited.").On("comment")
	case in.IfVersion != 0 && in.IfVersion != said.Version:
		return Commented{}, refusal.Stale.Say("This comment was edited since you read it: it is at version %d.", said.Version).
			On("if_version").With("version", said.Version).With("body", said.Body)
	case in.Body == said.Body:
		c.Unchanged()
		return Commented{Comment: said.told(dir, c.By), Item: it.Key(), Version: said.Version}, nil
	}
	if err := fitting(in.Body, maxComment, "body", "A comment"); err != nil {
		return Commented{}, err
	}
	return t.rewrite(ctx, c, dir, it, said, in.Body)
}

const (
	keepBody    = `INSERT INTO comment_editions (comment, version, body, at) SELECT id, version, body, coalesce(edited_at, at) FROM comments WHERE id = $1`
	rewriteBody = `UPDATE comments SET body = $2, edited_at = $3, version = version + 1 WHERE id = $1`
)

// rewrite keeps what a comment said and has it say something else. Only those
// it names now and did not before are told.
func (t *Tracker) rewrite(ctx context.Context, c *tool.Call, dir *org.Directory, it item, said saidOn, body string) (Commented, error) {
	if _, err := c.Tx.ExecContext(ctx, keepBody, said.ID); err != nil {
		return Commented{}, fmt.Errorf("keep what comment %s said: %w", said.ID, err)
	}
	if _, err := c.Tx.ExecContext(ctx, rewriteBody, said.ID, body, c.Now); err != nil {
		return Commented{}, fmt.Errorf("edit comment %s: %w", said.ID, err)
	}
	c.Changed("comment.edited", it.object(), map[string]changes.Delta{"comment": {To: said.ID}, "body": {From: size(said.Body), To: size(body)}})
	before, fresh := mentionedIn(dir, said.Body), reasons{}
	var named []string
	for _, party := range mentionedIn(dir, body) {
		if !slices.Contains(before, party) {
			named = append(named, party)
			fresh.add(party, byMention)
		}
	}
	if err := watch(ctx, c, it, named); err != nil {
		return Commented{}, err
	}
	if err := t.tell(ctx, c, it, notice{Kind: "comment.edited", Summary: "said: " + excerpt(body), Comment: said.ID}, fresh); err != nil {
		return Commented{}, err
	}
	now, err := findComment(ctx, c, said.ID)
	return Commented{Comment: now.told(dir, c.By), Item: it.Key(), Version: now.Version}, err
}

// GetComment is what get_comment is asked.
type GetComment struct {
	Comment string `json:"comment" validate:"required,uuid" jsonschema:"id of the comment"`
}

// Object names the comment, for the record of a call that was refused.
func (a GetComment) Object() string { return "comment:" + a.Comment }

// CommentRead is a comment with all it said before.
type CommentRead struct {
	Comment Comment   `json:"comment"`
	Item    string    `json:"item"` // key
	Before  []Earlier `json:"before" jsonschema:"what it said before, the newest first"`
}

// Earlier is what a comment said at an earlier version.
type Earlier struct {
	Version int       `db:"version" json:"version"`
	Body    string    `db:"body" json:"body"`
	At      time.Time `db:"at" json:"at" jsonschema:"since when it said so"`
}

func declareGetComment(t *Tracker) tool.Use[GetComment, CommentRead] {
	return tool.Declare(tool.Spec{
		Name:   "get_comment",
		Title:  "A comment",
		Brief:  "Read one comment, and what it said before it was edited.",
		Access: access.Read(access.StateRead),
		Mode:   tool.Read,
	}, t.getComment)
}

const earlierBodies = `SELECT version, body, at FROM comment_editions WHERE comment = $1 ORDER BY version DESC LIMIT 100`

func (t *Tracker) getComment(ctx context.Context, c *tool.Call, in GetComment) (CommentRead, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return CommentRead{}, err
	}
	said, err := findComment(ctx, c, in.Comment)
	if err != nil {
		return CommentRead{}, err
	}
	out := CommentRead{Comment: said.told(dir, c.By), Item: said.key(), Before: []Earlier{}}
	if err := c.Tx.SelectContext(ctx, &out.Before, earlierBodies, said.ID); err != nil {
		return out, fmt.Errorf("read what comment %s said: %w", said.ID, err)
	}
	return out, nil
}
