package servers

import (
	"context"
	"slices"
	"strings"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// ToolsOverview asks for servers and tools as one page shows them. What is
// left out narrows nothing.
type ToolsOverview struct {
	Text        string `json:"text,omitempty" validate:"max=200" jsonschema:"part of a tool's name, title or description"`
	Source      string `json:"source,omitempty" validate:"max=100" jsonschema:"builtin, or mcp: and a server's name"`
	Hint        string `json:"hint,omitempty" validate:"omitempty,oneof=destructive writes read-only unknown" jsonschema:"the strongest hint that is known"`
	Delivers    string `json:"delivers,omitempty" validate:"max=100" jsonschema:"where a call puts something, as the catalogue says it"`
	Reloaded    int64  `json:"reloaded,omitempty" validate:"min=0" jsonschema:"position of a reload in the log; then what each node did of it is told"`
	ServersOnly bool   `json:"servers_only,omitempty" jsonschema:"leave the tools out"`
}

// Overview is every server, and the tools that fit, at one moment.
type Overview struct {
	Servers []Server `json:"servers"`
	Tools   []Tool   `json:"tools"`
	Sources []string `json:"sources"` // of all tools, in the catalogue's order
	// Places are where calls put something, of all tools, in that order.
	Places []string `json:"places"`
	Total  int      `json:"total"` // tools there are, those that do not fit included
	Nodes  []Node   `json:"nodes"`
	// Reloads is how far each node is with the reload asked about.
	Reloads []Reload `json:"reloads,omitempty"`
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

// overview shows how a server is launched, and its last words, only to those
// who may read the configuration; state and tools are for everybody here.
func (s *Servers) overview(ctx context.Context, c *tool.Call, in ToolsOverview) (Overview, error) {
	f, err := s.read(ctx, c.Tx, !in.ServersOnly)
	if err != nil {
		return Overview{}, err
	}
	out := Overview{Servers: f.servers(), Tools: []Tool{}, Sources: []string{}, Places: []string{}, Nodes: f.nodes}
	if !c.By.Grants.Has(access.ConfigRead) {
		for i := range out.Servers {
			out.Servers[i].conceal()
		}
	}
	if in.Reloaded > 0 {
		if out.Reloads, err = f.reloads(ctx, c.Tx, in.Reloaded); err != nil {
			return Overview{}, err
		}
	}
	if in.ServersOnly {
		return out, nil
	}
	all := f.catalogue(s.offered())
	out.Total = len(all)
	for i := range all {
		if !slices.Contains(out.Sources, all[i].Source) {
			out.Sources = append(out.Sources, all[i].Source)
		}
		if to := all[i].Delivers; to != "" && !slices.Contains(out.Places, to) {
			out.Places = append(out.Places, to)
		}
		if in.fits(&all[i]) {
			out.Tools = append(out.Tools, all[i])
		}
	}
	return out, nil
}

// conceal takes away how the server is launched and what it said last.
func (s *Server) conceal() {
	s.Command, s.Args, s.URL = "", nil, ""
	for i := range s.Nodes {
		s.Nodes[i].StderrTail = nil
	}
}

func (in ToolsOverview) fits(t *Tool) bool {
	if in.Delivers != "" && t.Delivers != in.Delivers {
		return false
	}
	if in.Source != "" && t.Source != in.Source || in.Hint != "" && t.Hint() != in.Hint {
		return false
	}
	text := strings.ToLower(strings.TrimSpace(in.Text))
	return text == "" || slices.ContainsFunc([]string{t.Name, t.Own, t.Title, t.Description}, func(s string) bool {
		return strings.Contains(strings.ToLower(s), text)
	})
}

// Hint is the strongest that is known of a tool: destructive, then writes,
// then read-only; otherwise unknown, which is never taken for read-only.
func (t *Tool) Hint() string {
	readOnly, destructive := t.Annotations.ReadOnly, t.Annotations.Destructive
	switch {
	case destructive != nil && *destructive:
		return "destructive"
	case readOnly != nil && !*readOnly:
		return "writes"
	case readOnly != nil:
		return "read-only"
	default:
		return "unknown"
	}
}

// Harmless reports whether a tool is known to read only, or known not to
// destroy. One that writes and does not say what becomes of things may.
func (t *Tool) Harmless() bool {
	readOnly, destructive := t.Annotations.ReadOnly, t.Annotations.Destructive
	if destructive != nil {
		return !*destructive
	}
	return readOnly != nil && *readOnly
}
