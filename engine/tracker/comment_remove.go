package tracker

import (
	"context"
	"fmt"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/tool"
)

// RemoveComment is what remove_comment is asked.
type RemoveComment struct {
	Comment string `json:"comment" validate:"required,uuid" jsonschema:"id of the comment"`
}

// Object names the comment, for the record of a call that was refused.
func (a RemoveComment) Object() string { return "comment:" + a.Comment }

func declareRemoveComment(t *Tracker) tool.Use[RemoveComment, Commented] {
	return tool.Declare(tool.Spec{
		Name:     "remove_comment",
		Title:    "Remove a comment",
		Brief:    "Remove a comment of your own; an administrator may remove anybody's. A mark stays where it stood. A question it asks that is still open is withdrawn.",
		Access:   access.Authored(access.WorkWrite).Or(access.WorkWrite | access.PeopleManage),
		Audience: tool.Operators | tool.Seats,
		Hints:    tool.Hints{Destructive: true, Idempotent: true},
		Delivers: "tracker",
	}, t.removeComment).Owned(func(ctx context.Context, c *tool.Call, in RemoveComment) (access.Facts, error) {
		said, err := findComment(ctx, c, in.Comment)
		return access.Facts{Author: said.Author}, err
	})
}

// wipeComment takes the words from everywhere they are kept: the comment, what
// it said before, and the lines of inboxes that begin with them.
const wipeComment = `
	WITH wiped AS (
		UPDATE comments SET body = '', removed_at = $2, removed_by = $3, version = version + 1 WHERE id = $1
	), earlier AS (
		DELETE FROM comment_editions WHERE comment = $1
	), told AS (
		UPDATE notices SET summary = 'said something that was removed since' WHERE comment = $1
	)
	UPDATE items SET comments = comments - 1 WHERE id = $4`

func (t *Tracker) removeComment(ctx context.Context, c *tool.Call, in RemoveComment) (Commented, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return Commented{}, err
	}
	it, said, err := t.lockComment(ctx, c, in.Comment)
	if err != nil {
		return Commented{}, err
	}
	if said.RemovedAt != nil {
		c.Unchanged()
		return Commented{Comment: said.told(dir, c.By), Item: it.Key(), Version: said.Version}, nil
	}
	c.Changed("comment.removed", it.object(), map[string]changes.Delta{"comment": {From: said.ID}, "body": {From: size(said.Body)}})
	if said.Ask != nil && said.Ask.State == "open" {
		if err := t.takeBack(ctx, c, dir, it, *said.Ask); err != nil {
			return Commented{}, err
		}
	}
	if _, err := c.Tx.ExecContext(ctx, wipeComment, said.ID, c.Now, c.By.Party(), it.ID); err != nil {
		return Commented{}, fmt.Errorf("remove comment %s: %w", said.ID, err)
	}
	now, err := findComment(ctx, c, said.ID)
	return Commented{Comment: now.told(dir, c.By), Item: it.Key(), Version: now.Version}, err
}
