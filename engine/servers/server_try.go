package servers

import (
	"context"
	"encoding/json"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// TryServer is what try_mcp_server is asked: a declaration as it would be
// stored.
type TryServer struct {
	Name  string          `json:"name" validate:"required,max=40" jsonschema:"the server's name, declared or not yet"`
	Entry json.RawMessage `json:"entry" validate:"required" jsonschema:"the declaration as a JSON object, as put_mcp_server takes it"`
}

// Object names the server for the record, as people know it.
func (a TryServer) Object() string { return "server:" + a.Name }

// Faults of a trial.
const (
	FaultHeldBack   = "held_back"          // something it needs does not resolve, or may not be sent there
	FaultCredential = "credential_refused" // the server answered 401 or 403
	FaultSilent     = "no_answer"          // nothing came back in time
	FaultFailed     = "failed"             // anything else; Says has it
)

// Tried is what came of starting a server once, outside the catalogue.
type Tried struct {
	OK    bool        `json:"ok"`
	Says  string      `json:"says"`            // one or two sentences
	Fault string      `json:"fault,omitempty"` // one of the Faults; empty when it answered
	Tools []ToolBrief `json:"tools"`           // as it listed them
	// StderrTail is what it said last, redacted.
	StderrTail []string `json:"stderr_tail,omitempty"`
	TookMS     int64    `json:"took_ms"`
	Missing    []string `json:"missing,omitempty"` // variables that do not resolve
	// Unmatched are include entries that name nothing it lists.
	Unmatched []string `json:"unmatched,omitempty"`
}

// ToolBrief is a listed tool in a line.
type ToolBrief struct {
	Name        string `json:"name"` // the server's own
	Title       string `json:"title"`
	Description string `json:"description"`
	Hint        string `json:"hint"` // destructive, writes, read-only or unknown
	Invalid     string `json:"invalid,omitempty"`
}

func declareTry(s *Servers) tool.Use[TryServer, Tried] {
	return tool.Declare(tool.Spec{
		Name:     "try_mcp_server",
		Title:    "Test a connection",
		Brief:    "Start a server once, outside the catalogue, with its secrets resolved, list its tools and stop it again.",
		Access:   access.Operator(access.ConfigWrite).Sensitive(),
		Audience: tool.Operators,
		Mode:     tool.Outside,
		Hints:    tool.Hints{OpenWorld: true},
	}, s.try)
}

func (s *Servers) try(_ context.Context, _ *tool.Call, _ TryServer) (Tried, error) {
	return Tried{}, refusal.Unavailable.Say("This node runs no servers.")
}
