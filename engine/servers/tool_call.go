package servers

import (
	"context"
	"encoding/json"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// CallTool is what call_tool is asked: one call of a server's tool, by the
// name it is registered under.
type CallTool struct {
	Tool      string          `json:"tool" validate:"required,max=64" jsonschema:"the tool's registered name"`
	Arguments json.RawMessage `json:"arguments,omitempty" jsonschema:"a JSON object, as the tool's input schema has it"`
	Seat      string          `json:"seat,omitempty" validate:"max=64" jsonschema:"for a server of one child per seat: whose"`
}

// Object names the tool for the record.
func (a CallTool) Object() string { return "tool:" + a.Tool }

// Called is what a tool answered, whole, with secrets redacted.
type Called struct {
	Tool    string  `json:"tool"`     // as it is registered
	Server  string  `json:"server"`   // its name
	IsError bool    `json:"is_error"` // the server's own failure, in its words
	Content []Block `json:"content"`
	// Structured is the result's structured content, byte for byte.
	Structured json.RawMessage `json:"structured,omitempty"`
	TookMS     int64           `json:"took_ms"`
	// ServerAsked says that the server asked for input and was declined.
	ServerAsked bool `json:"server_asked,omitempty"`
}

// Block is one content block of a result.
type Block struct {
	Type string `json:"type"` // text, image, audio, resource, resource_link, or another as sent
	Text string `json:"text,omitempty"`
	Data string `json:"data,omitempty"` // base64, of images, audio and resources of bytes
	MIME string `json:"mime,omitempty"`
	URI  string `json:"uri,omitempty"`
	Name string `json:"name,omitempty"` // of a link
}

func declareCall(s *Servers) tool.Use[CallTool, Called] {
	return tool.Declare(tool.Spec{
		Name:   "call_tool",
		Title:  "Try a tool",
		Brief:  "Call one tool of an MCP server and show its result whole.",
		Access: access.Operator(access.FleetOperate).Sensitive(),
		Mode:   tool.Outside,
		Hints:  tool.Hints{Destructive: true, OpenWorld: true},
		// Where the tool's own row says.
		Delivers: "mcp",
	}, s.call)
}

func (s *Servers) call(_ context.Context, _ *tool.Call, _ CallTool) (Called, error) {
	return Called{}, refusal.Unavailable.Say("This node runs no servers.")
}
