package document

import "regexp"

var serverShape = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// checkServerNames: a server's name is unique and never crewlet's own.
func (c *checks) checkServerNames() {
	first := map[string]int{}
	for i, s := range c.doc.MCPServers {
		at := index("mcp_servers", i)
		if s.Name == "" {
			c.missing(at, "This server has no name. Write name: in it, such as name: files.")
			continue
		}
		if says := RefusesServerName(s.Name); says != "" {
			c.fault(at+".name", "%s", says)
			continue
		}
		if other, taken := first[s.Name]; taken {
			c.fault(at+".name", "The name %q belongs to %s on line %d already. Names are unique: write another one here.",
				s.Name, index("mcp_servers", other), c.doc.MCPServers[other].Line)
			continue
		}
		first[s.Name] = i
	}
}

// RefusesServerName says why a server cannot be called so, or "".
func RefusesServerName(name string) string {
	switch {
	case name == "crewlet":
		return "crewlet is this program's own name. Call the server something else."
	case len(name) > 40 || !serverShape.MatchString(name):
		return "\"" + clip(name) + "\" is no server's name. A name is a lower-case letter and then lower-case letters, digits and dashes, at most 40 characters, such as files."
	}
	return ""
}

// noServer reports a name that no server has.
func (c *checks) noServer(at, name string) {
	if known := c.doc.names(); !c.uncounted("mcp_servers", known) {
		c.fault(at, "There is no MCP server called %q. %s", clip(name), unknown(name, known, "Declare it under mcp_servers first."))
	}
}
