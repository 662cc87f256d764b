package servers

import (
	"context"
	"slices"

	"crewlet/config/document"
	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// GetServer is what get_mcp_server is asked.
type GetServer struct {
	Name string `json:"name" validate:"required,max=40" jsonschema:"the server's name"`
	ID   string `json:"id,omitempty" validate:"max=64" jsonschema:"its id: a server that got another name meanwhile is found by it"`
}

func declareGetServer(s *Servers) tool.Use[GetServer, ServerRead] {
	return tool.Declare(tool.Spec{
		Name:     "get_mcp_server",
		Title:    "An MCP server",
		Brief:    "Read all there is to know of one MCP server: how it stands on each node and why, its tools and what is not offered, its history and its calls.",
		Access:   access.Operator(access.ConfigRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, s.getServer)
}

func (s *Servers) getServer(ctx context.Context, c *tool.Call, in GetServer) (ServerRead, error) {
	name, err := s.calledNow(ctx, c, in)
	if err != nil {
		return ServerRead{}, err
	}
	f, err := s.readOne(ctx, c.Tx, aboutServer, name)
	if err != nil {
		return ServerRead{}, err
	}
	if in.ID != "" && f.target != in.ID {
		return ServerRead{}, refusal.NotFound.Say("The server %s is not declared any more.", in.Name)
	}
	c.About("server:" + f.target)
	out := ServerRead{
		Instances: f.instances(), History: f.events(), Listed: []Tool{}, NotOffered: []Withheld{}, Capabilities: []string{},
		RevisionID: f.revision, Declared: f.declaredIn, Stats: f.stats, ByTool: f.byTool, CatalogueAgeS: -1,
	}
	entry := f.entry(f.target)
	switch st := f.anyState(f.target); {
	case entry != nil:
		out.Server, out.Enabled, out.Launch = f.declaredServer(entry), entry.Enabled, launchOf(entry)
		f.tell(&out, entry)
	case st != nil:
		out.Server = f.retiredServer(*st)
	default:
		return ServerRead{}, refusal.NotFound.Say("No server %s is declared.", in.Name)
	}
	f.catalogueOf(&out, c.Now)
	return out, nil
}

// calledNow is the name a server is asked for by; its id knows better.
func (s *Servers) calledNow(ctx context.Context, c *tool.Call, in GetServer) (string, error) {
	if in.ID == "" {
		return in.Name, nil
	}
	now, err := s.o.Company.StandingIn(ctx, c.Tx)
	if err != nil {
		return "", err
	}
	if entry := standingOf(now).entry(in.ID); entry != nil {
		return entry.Name, nil
	}
	return in.Name, nil
}

// tell fills in what is listed, and what of it is not offered.
func (f *oneServer) tell(out *ServerRead, entry *document.Server) {
	listed := f.offeredBy(f.target, entry)
	for _, t := range listed {
		if !t.Utility || t.Withheld == "" {
			out.Listed = append(out.Listed, t)
		}
		if t.Withheld != "" {
			out.NotOffered = append(out.NotOffered, Withheld{What: t.ownName(), Why: t.Withheld})
		}
	}
	for _, what := range out.LeftOut {
		out.NotOffered = append(out.NotOffered, Withheld{What: "Tools beyond what is kept", Why: what})
	}
	if f.listed() {
		for _, u := range utilities() {
			if !slices.ContainsFunc(listed, func(t Tool) bool { return t.Utility && t.ownName() == u.name }) {
				out.NotOffered = append(out.NotOffered, Withheld{What: u.name, Why: "The server announces no " + u.of() + "."})
			}
		}
	}
}
