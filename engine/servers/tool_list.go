package servers

import (
	"context"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// ListTools asks for the whole catalogue.
type ListTools struct{}

// ToolList is every tool there is, in the order every list has.
type ToolList struct {
	Tools []Tool `json:"tools"`
}

func declareListTools(s *Servers) tool.Use[ListTools, ToolList] {
	return tool.Declare(tool.Spec{
		Name:     "list_tools",
		Title:    "Tools",
		Brief:    "List every tool of the company with its source, hints, arguments and who is offered it.",
		Access:   access.Operator(access.StateRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, s.listTools)
}

func (s *Servers) listTools(ctx context.Context, c *tool.Call, _ ListTools) (ToolList, error) {
	f, err := s.read(ctx, c.Tx, true)
	if err != nil {
		return ToolList{}, err
	}
	return ToolList{Tools: f.catalogue(s.builtins())}, nil
}
