package servers

import (
	"context"
	"encoding/json"

	"crewlet/config/document"
	"crewlet/engine/refusal"
	"crewlet/mcp/client"
)

// utility is a tool of ours that stands for a server's resources or prompts.
type utility struct {
	name, title, brief, schema string
	resources                  bool // else prompts
}

func (u utility) of() string {
	if u.resources {
		return "resources"
	}
	return "prompts"
}

func utilities() []utility {
	return []utility{
		{
			"list_resources", "List resources", "List the resources this MCP server has: the address, name and type of each.",
			`{"type":"object","properties":{"cursor":{"type":"string","description":"from the answer before, for the next page"}},"additionalProperties":false}`, true,
		},
		{
			"read_resource", "Read a resource", "Read one resource of this MCP server.",
			`{"type":"object","properties":{"uri":{"type":"string","description":"the address, as list_resources names it"}},"required":["uri"],"additionalProperties":false}`, true,
		},
		{
			"list_prompts", "List prompts", "List the prompts this MCP server has, and what each asks for.",
			`{"type":"object","properties":{"cursor":{"type":"string","description":"from the answer before, for the next page"}},"additionalProperties":false}`, false,
		},
		{
			"get_prompt", "Get a prompt", "Fill in one prompt of this MCP server and read its messages.",
			`{"type":"object","properties":{"name":{"type":"string","description":"the prompt, as list_prompts names it"},"arguments":{"type":"object","additionalProperties":{"type":"string"},"description":"what the prompt asks for"}},"required":["name"],"additionalProperties":false}`, false,
		},
	}
}

// utilitiesOf are the utility tools of a server that announced these
// capabilities. They are known to change nothing.
func utilitiesOf(has client.Capabilities) []listedTool {
	yes, no := true, false
	var list []listedTool
	for _, u := range utilities() {
		if u.resources && has.Resources || !u.resources && has.Prompts {
			list = append(list, listedTool{
				Name: u.name, Title: u.title, Description: u.brief, InputSchema: json.RawMessage(u.schema), Utility: true,
				Annotations: client.Annotations{ReadOnly: &yes, Destructive: &no, Idempotent: &yes},
			})
		}
	}
	return list
}

// utilityArguments are what the four utility tools are asked, together.
type utilityArguments struct {
	Cursor    string            `json:"cursor"`
	URI       string            `json:"uri"`
	Name      string            `json:"name"`
	Arguments map[string]string `json:"arguments"`
}

// sendUtility asks for a server's resources or prompts.
func (s *Servers) sendUtility(ctx context.Context, key client.Key, name string, args json.RawMessage) (*client.Result, error) {
	var in utilityArguments
	if len(args) > 0 {
		if err := json.Unmarshal(args, &in); err != nil {
			return nil, refusal.Invalid.Say("The arguments of %s are a JSON object, as its schema has it; prompts take text alone.", name).On("arguments")
		}
	}
	switch {
	case name == "list_resources":
		return s.pool.Resources(ctx, key, in.Cursor)
	case name == "list_prompts":
		return s.pool.Prompts(ctx, key, in.Cursor)
	case name == "read_resource" && in.URI == "":
		return nil, refusal.Invalid.Say("read_resource needs uri: the address of a resource, as list_resources names it.").On("arguments")
	case name == "read_resource":
		return s.pool.ReadResource(ctx, key, in.URI)
	case in.Name == "":
		return nil, refusal.Invalid.Say("get_prompt needs name: a prompt, as list_prompts names it.").On("arguments")
	default:
		return s.pool.GetPrompt(ctx, key, in.Name, in.Arguments)
	}
}

// utilityBlocks are what a reader sees of a utility tool's answer: a resource
// that was read as what it is, all else as its JSON.
func utilityBlocks(raw json.RawMessage) []Block {
	var read struct {
		Contents []json.RawMessage `json:"contents"`
	}
	if json.Unmarshal(raw, &read) != nil || len(read.Contents) == 0 {
		return []Block{{Type: "text", Text: string(raw)}}
	}
	list := make([]Block, 0, len(read.Contents))
	for _, text := range read.Contents {
		b, ok := resourceOf(text)
		if !ok {
			return []Block{{Type: "text", Text: string(raw)}}
		}
		list = append(list, b)
	}
	return list
}

// switchedOff says why a utility tool is not registered; empty when it is.
// registers tells whether the server registers any tool of its own, or has
// none to register.
func switchedOff(lists document.ServerTools, name string, registers bool) string {
	for _, u := range utilities() {
		switch {
		case u.name != name:
		case u.resources && !lists.Resources:
			return "Switched off in the configuration (tools.resources: false)."
		case !u.resources && !lists.Prompts:
			return "Switched off in the configuration (tools.prompts: false)."
		}
	}
	if !registers {
		return "Every tool of the server is filtered away, so it registers nothing."
	}
	return ""
}
