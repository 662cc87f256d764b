package servers

import (
	"context"
	"fmt"
	"strings"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// ListServers asks how every MCP server stands.
type ListServers struct{}

// ServerList is every server, as the document declares them.
type ServerList struct {
	Servers []Server `json:"servers"`
	Nodes   int      `json:"nodes"` // how many live
}

func declareListServers(s *Servers) tool.Use[ListServers, ServerList] {
	return tool.Declare(tool.Spec{
		Name:     "list_mcp_servers",
		Title:    "MCP servers",
		Brief:    "List the MCP servers of the company: how each stands on each node, why one fails, and how many tools it lists.",
		Access:   access.Operator(access.ConfigRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, s.listServers)
}

func (s *Servers) listServers(ctx context.Context, c *tool.Call, _ ListServers) (ServerList, error) {
	f, err := s.read(ctx, c.Tx, false)
	if err != nil {
		return ServerList{}, err
	}
	return ServerList{Servers: f.servers(), Nodes: len(f.live())}, nil
}

// leftOut says what a listing had beyond what is kept.
func leftOut(c catalogueFact) string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{
		{c.Dropped, "past the cap of 2,000 tools or without a usable name"},
		{c.Duplicates, "listed twice, the first kept"},
		{c.Oversize, "with a schema over 1 MB"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	says := "Left out: " + strings.Join(parts, "; ")
	if c.LeftOut != "" {
		says += " (" + c.LeftOut + ")"
	}
	return says + "."
}
