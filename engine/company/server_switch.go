package company

import (
	"context"
	"fmt"
	"strings"

	"crewlet/config/document"
	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// SwitchServer is what switch_mcp_server is asked.
type SwitchServer struct {
	Name    string `json:"name" validate:"required,max=40" jsonschema:"the server's name"`
	Enabled bool   `json:"enabled" jsonschema:"false: never contacted, still listed, all that names it kept"`
	Writing
}

// Object names the server for the record, as people know it.
func (a SwitchServer) Object() string { return serverObject(a.Name) }

func declareSwitchServer(s *Company) tool.Use[SwitchServer, Written] {
	return tool.Declare(tool.Spec{
		Name:     "switch_mcp_server",
		Title:    "Disable or enable an MCP server",
		Brief:    "Switch a declared server off or on in the company document, in one revision; nothing that names it is touched.",
		Access:   access.Operator(access.ConfigWrite).Sensitive(),
		Audience: tool.Operators,
		Hints:    tool.Hints{Destructive: true, Idempotent: true},
	}, s.switchServer)
}

// switchServer says why by itself when nobody does: the switch is all there is
// to it.
func (s *Company) switchServer(ctx context.Context, c *tool.Call, in SwitchServer) (Written, error) {
	c.About(in.Object())
	if strings.TrimSpace(in.Summary) == "" {
		in.Summary = map[bool]string{true: "Enable ", false: "Disable "}[in.Enabled] + in.Name
	}
	return s.revise(ctx, c, in.Writing, func(now Revision) (draft, error) {
		at, _, err := locate(now, in.Name)
		if err != nil {
			return draft{}, err
		}
		if at < 0 {
			return draft{}, refusal.NoSuchEntity.Say("No server %s is declared.", in.Name).On("name")
		}
		return switched(now, at, in.Enabled)
	})
}

// switched edits the one key. A server that stands as asked keeps its text.
func switched(now Revision, at int, on bool) (draft, error) {
	doc, problems := document.Parse([]byte(now.Text))
	if len(problems) > 0 {
		return draft{}, misread(problems)
	}
	if doc.MCPServers[at].Enabled == on {
		return draft{text: now.Text}, nil
	}
	edit := document.Edit{Op: "replace", Path: fmt.Sprintf("/mcp_servers/%d/enabled", at), Value: on}
	next, err := edited(now, []document.Edit{edit}, "name")
	if err == nil || on { // what is off has the key
		return next, err
	}
	edit.Op = "add"
	return edited(now, []document.Edit{edit}, "name")
}
