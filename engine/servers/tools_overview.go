package servers

import (
	"context"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// ToolsOverview asks for servers and tools as one page shows them.
type ToolsOverview struct{}

// Overview is every server and every tool, at one moment.
type Overview struct {
	Servers []Server `json:"servers"`
	Tools   []Tool   `json:"tools"`
	Nodes   []Node   `json:"nodes"`
}

func declareOverview(s *Servers) tool.Use[ToolsOverview, Overview] {
	return tool.Declare(tool.Spec{
		Name:   "tools_overview",
		Title:  "MCP tools",
		Brief:  "Show the MCP servers and the catalogue of tools together.",
		Access: access.Operator(access.StateRead),
		Mode:   tool.Read,
	}, s.overview)
}

// overview shows how a server is launched only to those who may read the
// configuration; its state and tools are for everybody here.
func (s *Servers) overview(ctx context.Context, c *tool.Call, _ ToolsOverview) (Overview, error) {
	f, err := s.read(ctx, c.Tx, true)
	if err != nil {
		return Overview{}, err
	}
	out := Overview{Servers: f.servers(), Tools: f.catalogue(s.builtins()), Nodes: f.nodes}
	if !c.By.Grants.Has(access.ConfigRead) {
		for i := range out.Servers {
			out.Servers[i].Command, out.Servers[i].Args, out.Servers[i].URL = "", nil, ""
			for j := range out.Servers[i].Nodes {
				out.Servers[i].Nodes[j].StderrTail = nil
			}
		}
	}
	return out, nil
}
