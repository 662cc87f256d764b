package company

import (
	"context"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// DiffRevisions is what diff_revisions is asked.
type DiffRevisions struct {
	From int64 `json:"from,omitempty" validate:"min=0" jsonschema:"the older revision; the one before it when left out"`
	To   int64 `json:"to" validate:"required,min=1" jsonschema:"the newer revision"`
}

// Diff is what changed between two revisions.
type Diff struct {
	From    int64  `json:"from"` // 0: there was nothing before
	To      int64  `json:"to"`
	Unified string `json:"diff"` // in unified form
	Lines   []Line `json:"lines"`
}

func declareDiffRevisions(s *Company) tool.Use[DiffRevisions, Diff] {
	return tool.Declare(tool.Spec{
		Name:     "diff_revisions",
		Title:    "What changed between revisions",
		Brief:    "Compare two revisions of the company document line by line.",
		Access:   access.Operator(access.ConfigRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, s.diffRevisions)
}

func (s *Company) diffRevisions(ctx context.Context, c *tool.Call, in DiffRevisions) (Diff, error) {
	to, err := revision(ctx, c.Tx, in.To)
	if err != nil {
		return Diff{}, err
	}
	if in.From == 0 {
		in.From = to.Parent
	}
	var from Revision
	if in.From != 0 {
		if from, err = revision(ctx, c.Tx, in.From); err != nil {
			return Diff{}, err
		}
	}
	return Diff{From: from.ID, To: to.ID, Unified: unified(from, to), Lines: Compare(from.Text, to.Text)}, nil
}
