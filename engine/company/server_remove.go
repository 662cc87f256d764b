package company

import (
	"context"
	"strings"

	"crewlet/config/document"
	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// RemoveServer is what remove_mcp_server is asked.
type RemoveServer struct {
	Name           string `json:"name" validate:"required,max=40" jsonschema:"the server's name"`
	WithReferences bool   `json:"with_references,omitempty" jsonschema:"take out what names the server as well: mcp_env blocks, allowlists"`
	Writing
}

// Object names the server for the record, as people know it.
func (a RemoveServer) Object() string { return serverObject(a.Name) }

func declareRemoveServer(s *Company) tool.Use[RemoveServer, Written] {
	return tool.Declare(tool.Spec{
		Name:     "remove_mcp_server",
		Title:    "Remove an MCP server",
		Brief:    "Take a server out of the company document. Refused while something names it, listing the places, unless with_references is true.",
		Access:   access.Operator(access.ConfigWrite).Sensitive(),
		Audience: tool.Operators,
		Hints:    tool.Hints{Destructive: true},
	}, s.removeServer)
}

func (s *Company) removeServer(ctx context.Context, c *tool.Call, in RemoveServer) (Written, error) {
	c.About(in.Object())
	return s.revise(ctx, c, in.Writing, func(now Revision) (draft, error) {
		doc, err := inForce(now)
		if err != nil {
			return draft{}, err
		}
		edits, ok := document.RemoveEdits(doc, in.Name)
		if !ok {
			return draft{}, refusal.NoSuchEntity.Say("No server %s is declared.", in.Name).On("name")
		}
		if named := document.Mentions(doc, in.Name); len(named) > 0 && !in.WithReferences {
			places := make([]string, len(named))
			for i, m := range named {
				places[i] = m.Path
			}
			return draft{}, refusal.StillReferenced.Say("%s is still named at %s. Take those out with it (with_references), or disable the server to keep them.", in.Name, strings.Join(places, ", ")).
				With("references", places)
		}
		return edited(now, edits, "name")
	})
}

func edited(now Revision, edits []document.Edit, field string) (draft, error) {
	text, err := document.Apply([]byte(now.Text), edits...)
	if err != nil {
		return draft{}, unedited(err, field)
	}
	return draft{text: string(text)}, nil
}
