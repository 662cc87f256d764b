package company

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// GetRevision is what get_revision is asked.
type GetRevision struct {
	ID     int64 `json:"id" validate:"required,min=1" jsonschema:"the revision's number"`
	Offset *int  `json:"offset,omitempty" validate:"omitempty,min=0" jsonschema:"as get_config's: the text alone, in parts"`
}

// RevisionRead is a revision with its text, and what it changed.
type RevisionRead struct {
	Revision
	Paged
	Changes []Line `json:"changes" jsonschema:"against its parent; left out with offset: diff_revisions has them"`
	Newest  int64  `json:"newest"` // the revision in force
}

func declareGetRevision(s *Company) tool.Use[GetRevision, RevisionRead] {
	return tool.Declare(tool.Spec{
		Name:     "get_revision",
		Title:    "A revision",
		Brief:    "Read one revision of the company document: its text, and what it changed.",
		Access:   access.Operator(access.ConfigRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, s.getRevision)
}

const revisionBesideParent = `
	SELECT r.id, coalesce(r.parent, 0) AS parent, r.summary, r.author, r.author_name, r.at, r.text, r.ids,
		coalesce(p.text, '') AS before, h.revision AS newest
	FROM company_head AS h CROSS JOIN revisions AS r LEFT JOIN revisions AS p ON p.id = r.parent
	WHERE r.id = $1`

func (s *Company) getRevision(ctx context.Context, c *tool.Call, in GetRevision) (RevisionRead, error) {
	var row struct {
		Revision
		Before string `db:"before"`
		Newest int64  `db:"newest"`
	}
	err := c.Tx.GetContext(ctx, &row, revisionBesideParent, in.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return RevisionRead{}, refusal.NotFound.Say("There is no revision %d.", in.ID)
	}
	if err != nil {
		return RevisionRead{}, fmt.Errorf("read revision %d: %w", in.ID, err)
	}
	out := RevisionRead{Revision: row.Revision, Changes: []Line{}, Newest: row.Newest}
	if in.Offset == nil {
		out.Changes = Compare(row.Before, row.Text)
	}
	out.Paged, err = out.paged(in.Offset)
	return out, err
}
