package company

import (
	"context"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// WriteConfig is what write_config is asked.
type WriteConfig struct {
	Text string `json:"text" validate:"required" text:"raw" jsonschema:"the whole document, YAML, at most 1 MiB; it is kept byte for byte"`
	Writing
}

func declareWriteConfig(s *Company) tool.Use[WriteConfig, Written] {
	return tool.Declare(tool.Spec{
		Name:     "write_config",
		Title:    "Write the company document",
		Brief:    "Replace the whole company document. Refused with every problem and its line, or with what changed since if_match.",
		Access:   access.Operator(access.ConfigWrite).Sensitive(),
		Audience: tool.Operators,
		Hints:    tool.Hints{Destructive: true},
	}, s.writeConfig)
}

func (s *Company) writeConfig(ctx context.Context, c *tool.Call, in WriteConfig) (Written, error) {
	c.About(in.Object())
	return s.revise(ctx, c, in.Writing, func(now Revision) (draft, error) {
		return draft{text: in.Text}, in.matched(now)
	})
}
