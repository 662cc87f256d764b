package company

import (
	"context"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// GetConfig asks for the company document in force.
type GetConfig struct{}

// Config is the document and the revision it is. Its text is the authors' own.
type Config struct {
	Revision
}

func declareGetConfig(s *Company) tool.Use[GetConfig, Config] {
	return tool.Declare(tool.Spec{
		Name:     "get_config",
		Title:    "The company document",
		Brief:    "Read the company document as its authors wrote it, with its revision number: send that back as if_match.",
		Access:   access.Operator(access.ConfigRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, s.getConfig)
}

func (s *Company) getConfig(ctx context.Context, c *tool.Call, _ GetConfig) (Config, error) {
	rev, err := newest(ctx, c.Tx)
	if err == nil && rev.ID > s.heldID() {
		// Whoever reads it sees the name it gives, on this very page. A text this
		// version cannot apply is read all the same, to be mended.
		_, _ = s.parsed(rev)
	}
	return Config{rev}, err
}
