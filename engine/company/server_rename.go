package company

import (
	"context"
	"strings"

	"crewlet/config/document"
	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// RenameServer is what rename_mcp_server is asked.
type RenameServer struct {
	Name string `json:"name" validate:"required,max=40" jsonschema:"the server's name now"`
	To   string `json:"to" validate:"required,max=40" jsonschema:"the name it gets: lower-case letters, digits and dashes"`
	Writing
}

// Object names the server for the record, as people know it.
func (a RenameServer) Object() string { return serverObject(a.Name) }

func declareRenameServer(s *Company) tool.Use[RenameServer, Written] {
	return tool.Declare(tool.Spec{
		Name:     "rename_mcp_server",
		Title:    "Rename an MCP server",
		Brief:    "Give a server another name, everywhere it is named, in one revision. Its history, pins and approvals stay with it.",
		Access:   access.Operator(access.ConfigWrite).Sensitive(),
		Audience: tool.Operators,
	}, s.renameServer)
}

func (s *Company) renameServer(ctx context.Context, c *tool.Call, in RenameServer) (Written, error) {
	c.About(in.Object())
	return s.revise(ctx, c, in.Writing, func(now Revision) (draft, error) {
		doc, err := inForce(now)
		if err != nil {
			return draft{}, err
		}
		edits, ok := document.RenameEdits(doc, in.Name, in.To)
		if !ok {
			return draft{}, refusal.NoSuchEntity.Say("No server %s is declared.", in.Name).On("name")
		}
		if _, taken := now.IDs.Servers[in.To]; taken && in.To != in.Name {
			return draft{}, refusal.EntityExists.Say("There is a server %s already. Choose another name.", in.To).On("to")
		}
		next, err := edited(now, edits, "to")
		next.fixed = Identities{Servers: map[string]string{in.To: now.IDs.Servers[in.Name]}}
		next.told = func(problems document.Problems) *refusal.Refusal {
			return misnamed(problems, func(path string) bool {
				return strings.HasPrefix(path, "mcp_servers[") && strings.HasSuffix(path, "].name")
			})
		}
		return next, err
	})
}

// misnamed puts what is wrong with a new name beside it, wherever in the text it
// would stand.
func misnamed(problems document.Problems, ours func(path string) bool) *refusal.Refusal {
	for _, p := range problems {
		if ours(p.Path) {
			return refusal.Invalid.Say("%s", capital(p.Says)).On("to")
		}
	}
	return misread(problems)
}
