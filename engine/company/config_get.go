package company

import (
	"context"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// GetConfig asks for the company document in force.
type GetConfig struct {
	Offset *int `json:"offset,omitempty" validate:"omitempty,min=0" jsonschema:"read the text in parts: 0, then text_next of each answer; whole when left out"`
}

// Config is the document and the revision it is. Its text is the authors' own.
type Config struct {
	Revision
	Paged
}

// Paged is how much of a text an answer holds. A text is handed over in parts
// to whoever asks for them, and never otherwise: somebody could take the first
// part for all of it, and write that back.
type Paged struct {
	Bytes int `json:"total_bytes" jsonschema:"how long the whole text is"`
	Next  int `json:"text_next,omitempty" jsonschema:"send it as offset for what follows"`
}

// paged leaves of a revision's text the part that begins at a byte.
func (rev *Revision) paged(offset *int) (Paged, error) {
	p := Paged{Bytes: len(rev.Text)}
	switch {
	case offset == nil:
		return p, nil
	case *offset > len(rev.Text):
		return p, refusal.Invalid.Say("The text is %d bytes long; there is nothing at %d.", len(rev.Text), *offset).On("offset")
	}
	const beside = 4 << 10 // what else stands in an answer
	rev.Text, p.Next = tool.Stretch(rev.Text, *offset, tool.MaxAnswer-beside)
	return p, nil
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

func (s *Company) getConfig(ctx context.Context, c *tool.Call, in GetConfig) (Config, error) {
	rev, err := newest(ctx, c.Tx)
	if err == nil && rev.ID > s.heldID() {
		// Whoever reads it sees the name it gives, on this very page. A text this
		// version cannot apply is read all the same, to be mended.
		_, _ = s.parsed(rev)
	}
	if err != nil {
		return Config{}, err
	}
	part, err := rev.paged(in.Offset)
	return Config{rev, part}, err
}
