package servers

import (
	"context"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// CheckServer is what check_mcp_server is asked.
type CheckServer struct {
	Name string `json:"name" validate:"required,max=40" jsonschema:"the server's name"`
}

// Object names the server for the record, as people know it.
func (a CheckServer) Object() string { return "server:" + a.Name }

// Checked is what came back from a real request, and when.
type Checked struct {
	OK      bool      `json:"ok"`
	Says    string    `json:"says"` // one or two sentences
	Name    string    `json:"name"`
	Node    string    `json:"node"`  // that asked
	Tools   int       `json:"tools"` // listed
	Added   []string  `json:"added"` // since the last listing, by the server's own names
	Removed []string  `json:"removed"`
	Changed []string  `json:"changed"`
	At      time.Time `json:"at"` // UTC; when it answered, or failed to
	TookMS  int64     `json:"took_ms"`
}

func declareCheck(s *Servers) tool.Use[CheckServer, Checked] {
	return tool.Declare(tool.Spec{
		Name:     "check_mcp_server",
		Title:    "Check an MCP server",
		Brief:    "Prove a running server by a real request on this node: list its tools now, and say what came back.",
		Access:   access.Operator(access.FleetOperate),
		Audience: tool.Operators,
		Mode:     tool.Outside,
		Hints:    tool.Hints{Idempotent: true, OpenWorld: true},
	}, s.check)
}

func (s *Servers) check(_ context.Context, _ *tool.Call, _ CheckServer) (Checked, error) {
	return Checked{}, refusal.Unavailable.Say("This node runs no servers.")
}
