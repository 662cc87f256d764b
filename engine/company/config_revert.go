package company

import (
	"context"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// RevertConfig is what revert_config is asked.
type RevertConfig struct {
	To int64 `json:"to" validate:"required,min=1" jsonschema:"number of the revision to go back to"`
	Writing
}

func declareRevertConfig(s *Company) tool.Use[RevertConfig, Written] {
	return tool.Declare(tool.Spec{
		Name:     "revert_config",
		Title:    "Go back to a revision",
		Brief:    "Make an earlier revision's text the company document again, as a new revision; its servers and seats are those they were.",
		Access:   access.Operator(access.ConfigWrite).Sensitive(),
		Audience: tool.Operators,
		Hints:    tool.Hints{Destructive: true},
	}, s.revertConfig)
}

func (s *Company) revertConfig(ctx context.Context, c *tool.Call, in RevertConfig) (Written, error) {
	c.About(in.Object())
	return s.revise(ctx, c, in.Writing, func(now Revision) (draft, error) {
		if err := in.matched(now); err != nil {
			return draft{}, err
		}
		old, err := revision(ctx, c.Tx, in.To)
		return draft{text: old.Text, fixed: old.IDs}, err
	})
}
