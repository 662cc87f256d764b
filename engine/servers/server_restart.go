package servers

import (
	"context"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/mcp/client"
)

// restartKind is the row every node obeys that runs the server.
const restartKind = "server.restart_asked"

// RestartServer is what restart_mcp_server is asked.
type RestartServer struct {
	Name string `json:"name" validate:"required,max=40" jsonschema:"the server's name"`
}

// Restarted says which server every node starts anew.
type Restarted struct {
	Name string `json:"name"`
}

func declareRestart(s *Servers) tool.Use[RestartServer, Restarted] {
	return tool.Declare(tool.Spec{
		Name:     "restart_mcp_server",
		Title:    "Restart an MCP server",
		Brief:    "Stop a server and start it again on every node, or try one that is down at once. Calls under way are refused.",
		Access:   access.Operator(access.FleetOperate),
		Audience: tool.Operators,
		Hints:    tool.Hints{Destructive: true, OpenWorld: true},
	}, s.restart)
}

func (s *Servers) restart(ctx context.Context, c *tool.Call, in RestartServer) (Restarted, error) {
	now, err := s.o.Company.StandingIn(ctx, c.Tx)
	if err != nil {
		return Restarted{}, err
	}
	d := standingOf(now)
	entry, ok := d.doc.Server(in.Name)
	if !ok {
		return Restarted{}, refusal.NotFound.Say("No server %s is declared.", in.Name)
	}
	object := "server:" + d.ids[in.Name]
	c.About(object)
	if err := runs(entry); err != nil {
		return Restarted{}, err
	}
	c.Changed(restartKind, object, map[string]changes.Delta{"name": {To: in.Name}})
	return Restarted(in), nil
}

// obey restarts what this node runs of a server. One that is held back is
// looked at anew instead.
func (s *Servers) obey(server string) {
	if s.pool.Restart(client.Key{Server: server, Node: s.o.Node.ID}) != nil {
		s.told.Store(true)
		s.rouse()
	}
}
