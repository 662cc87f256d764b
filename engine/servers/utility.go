package servers

import (
	"encoding/json"

	"crewlet/config/document"
	"crewlet/mcp/client"
)

// utility is a tool of ours that stands for a server's resources or prompts.
type utility struct {
	name, title, brief, schema string
	resources                  bool // else prompts
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
