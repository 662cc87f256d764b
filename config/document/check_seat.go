package document

import (
	"maps"
	"net/mail"
	"slices"
)

func (c *checks) checkSeat(s Placed) {
	r := s.Role
	if r.Name == "" {
		c.missing(s.Path, "This seat has no name. Write name: in it, such as name: Backend lead.")
	}
	if r.Email != "" {
		if a, err := mail.ParseAddress(r.Email); err != nil || a.Address != r.Email {
			c.fault(s.Path+".email", "is no e-mail address. Write it like jane@example.com.")
		}
	}
	c.checkManages(s)
	c.checkHome(s)
	if r.Kind == "human" {
		c.onlyForAgents(s)
		return
	}
	c.modelNamed(s.Path+".model", r.Model)
	c.globs(s.Path+".approve", r.Approve)
	c.checkMCPEnv(s.Path+".mcp_env", r.MCPEnv, s.Unit)
	c.checkSeatTools(s)
	c.checkSandbox(s)
	for i, one := range r.Schedules {
		at := index(s.Path+".schedules", i)
		c.checkSchedule(one, at)
		if one.Seat != "" {
			c.fault(at+".seat", "A seat's schedule wakes that seat. Take seat: out, or move the schedule to a unit.")
		}
	}
}

// checkHome: a seat works in a project and writes in a space that some unit has.
func (c *checks) checkHome(s Placed) {
	r := s.Role
	if r.Project != "" && !slices.Contains(c.projects, r.Project) && !c.patchy {
		c.fault(s.Path+".project", "No unit declares the project %q. %s", clip(r.Project), unknown(r.Project, c.projects, "Write project: in a unit first."))
	}
	if r.Space != "" && !slices.Contains(c.spaces, r.Space) && !c.patchy {
		c.fault(s.Path+".space", "No unit declares the space %q. %s", clip(r.Space), unknown(r.Space, c.spaces, ""))
	}
}

// onlyForAgents refuses on a person's seat what only an agent has.
func (c *checks) onlyForAgents(s Placed) {
	for _, k := range []string{"model", "mcp_env", "tools", "approve", "sandbox", "schedules", "budget"} {
		at := s.Path + "." + k
		if _, written := c.places[at]; written {
			c.fault(at, "This seat is a person's (kind: human), and %s is for agents. Take it out, or write kind: agent.", k)
		}
	}
}

// checkManages: a seat manages other seats, by handle, and units, by id.
func (c *checks) checkManages(s Placed) {
	at := s.Path + ".manages"
	c.twice(at, s.Role.Manages)
	for i, name := range s.Role.Manages {
		if name == s.Role.Handle {
			c.fault(index(at, i), "A seat cannot manage itself. Take this line out.")
		} else if c.handles[name] == nil && !c.ids[name] && !c.patchy {
			known := append(c.handleList(), slices.Sorted(maps.Keys(c.ids))...)
			c.fault(index(at, i), "There is no seat and no unit called %q. %s", clip(name), unknown(name, known, ""))
		}
	}
}

func (c *checks) checkSandbox(s Placed) {
	box := s.Role.Sandbox
	if box == nil {
		return
	}
	at := s.Path + ".sandbox"
	if box.Kind == "container" && box.Image == "" {
		c.missing(at, "A container needs an image. Write image: in it.")
	}
	if box.Kind == "remote" {
		if box.URL == "" {
			c.missing(at, "A remote box needs its address. Write url: in it.")
		} else {
			c.webAddress(at+".url", box.URL)
		}
	}
	c.twice(at+".secrets", box.Secrets)
	for i, name := range box.Secrets {
		if !secretShape.MatchString(name) {
			c.fault(index(at+".secrets", i), "is no secret's name. Write the bare name, such as DEPLOY_KEY, without ${ and }.")
		}
	}
}

// checkSeatTools: each server once, declared, with "*" or bare names. A list
// limits a seat only while its box cannot spend the same secret.
func (c *checks) checkSeatTools(s Placed) {
	seen := map[string]bool{}
	for i, t := range s.Role.Tools {
		at := index(s.Path+".tools", i)
		if t.Server == "" {
			c.missing(at, "This entry names no server. Write - {server: NAME, tools: \"*\"}.")
			continue
		}
		server, declared := c.servers[t.Server]
		switch {
		case !declared:
			c.noServer(at+".server", t.Server)
		case seen[t.Server]:
			c.fault(at+".server", "The server %s stands in this list already. Put all its tools in one entry.", t.Server)
		}
		seen[t.Server] = true
		if t.Tools.Empty() {
			c.missing(at, "This entry lists no tools. Write tools: \"*\" for all of %s, or tools: [one, other].", clip(t.Server))
		}
		c.twice(at+".tools", t.Tools.Names)
		for j, name := range t.Tools.Names {
			if name == "" || name == "*" {
				c.fault(index(at+".tools", j), "is no tool's name. Write tools: \"*\" for all of them, without a list.")
			}
		}
		if declared && !t.Tools.All {
			c.boxSpends(s, server, at+".tools")
		}
	}
}

func (c *checks) boxSpends(s Placed, server *Server, at string) {
	if s.Role.Sandbox == nil {
		return
	}
	for _, name := range s.Role.Sandbox.Secrets {
		if slices.Contains(seatReferences(s, server), name) {
			c.fault(at, "The seat's sandbox is given the secret %s, which %s is started with: its box could call any tool with it, so a list limits nothing. "+
				"Write tools: \"*\", or take %s out of sandbox.secrets.", name, server.Name, name)
		}
	}
}

// seatReferences are the secrets a server is started with for a seat.
func seatReferences(s Placed, server *Server) []string {
	var blocks []map[string]string
	if !server.Shared && s.Unit != nil {
		blocks = append(blocks, s.Unit.MCPEnv[server.Name])
	}
	if !server.Shared {
		blocks = append(blocks, s.Role.MCPEnv[server.Name])
	}
	names := namesIn(server.URL)
	for _, value := range server.Merge(blocks...) {
		names = append(names, namesIn(value)...)
	}
	return names
}
