package servers

import (
	"context"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// GetTool is what get_tool is asked.
type GetTool struct {
	Name string `json:"name" validate:"required,max=64" jsonschema:"the tool's registered name"`
}

// ToolRead is one row of the catalogue, with its calls.
type ToolRead struct {
	Tool
	Server  string    `json:"server,omitempty"`   // its name; empty for a builtin
	State   State     `json:"state,omitempty"`    // the server's
	Reason  string    `json:"reason,omitempty"`   // why the server does not run
	PerSeat bool      `json:"per_seat,omitempty"` // the server has one child for each seat; a call says whose
	Calls   []CallRow `json:"calls"`              // the newest 20
	Stats   CallStats `json:"stats"`
}

func declareGetTool(s *Servers) tool.Use[GetTool, ToolRead] {
	return tool.Declare(tool.Spec{
		Name:     "get_tool",
		Title:    "A tool",
		Brief:    "Read one tool of the catalogue: its schema, its hints and where each comes from, its recent calls and latency.",
		Access:   access.Operator(access.StateRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, s.getTool)
}

func (s *Servers) getTool(ctx context.Context, c *tool.Call, in GetTool) (ToolRead, error) {
	c.About("tool:" + in.Name)
	for _, t := range s.offered() {
		if t.Name == in.Name {
			return ToolRead{Tool: t, Calls: []CallRow{}}, nil
		}
	}
	f, err := s.readOne(ctx, c.Tx, aboutTool, in.Name)
	if err != nil {
		return ToolRead{}, err
	}
	entry := f.entry(f.target)
	if entry == nil {
		return ToolRead{}, refusal.NotFound.Say("There is no tool %s.", in.Name)
	}
	for _, t := range f.offeredBy(f.target, entry) {
		if t.Name == in.Name {
			sv := f.declaredServer(entry)
			return ToolRead{Tool: t, Server: sv.Name, State: sv.State, Reason: sv.Reason, PerSeat: !sv.Shared, Calls: f.calls, Stats: f.stats}, nil
		}
	}
	return ToolRead{}, refusal.NotFound.Say("There is no tool %s.", in.Name)
}
