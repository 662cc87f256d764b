package company

import (
	"context"
	"fmt"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// ListRevisions is what list_revisions is asked.
type ListRevisions struct {
	Before int64 `json:"before,omitempty" validate:"min=0" jsonschema:"only revisions older than this number: the next of the last answer"`
	Limit  int   `json:"limit,omitempty" validate:"min=0,max=100" jsonschema:"at most so many; 50 when left out"`
}

// RevisionList is one page of the history, newest first, without the texts.
type RevisionList struct {
	Revisions []Revision `json:"revisions"`
	Next      int64      `json:"next,omitempty"` // send it as before; 0 at the end
}

func declareListRevisions(s *Company) tool.Use[ListRevisions, RevisionList] {
	return tool.Declare(tool.Spec{
		Name:     "list_revisions",
		Title:    "History of the company document",
		Brief:    "List who wrote which revision of the company document, when and why, newest first.",
		Access:   access.Operator(access.ConfigRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, s.listRevisions)
}

const listRevisions = `
	SELECT ` + revisionHeadings + ` FROM revisions
	WHERE $1::bigint = 0 OR id < $1 ORDER BY id DESC LIMIT $2`

func (s *Company) listRevisions(ctx context.Context, c *tool.Call, in ListRevisions) (RevisionList, error) {
	if in.Limit == 0 {
		in.Limit = 50
	}
	out := RevisionList{Revisions: []Revision{}}
	if err := c.Tx.SelectContext(ctx, &out.Revisions, listRevisions, in.Before, in.Limit+1); err != nil {
		return out, fmt.Errorf("list revisions: %w", err)
	}
	if len(out.Revisions) > in.Limit {
		out.Revisions = out.Revisions[:in.Limit]
		out.Next = out.Revisions[in.Limit-1].ID
	}
	return out, nil
}
