package document

import (
	"maps"
	"slices"
	"strings"
)

// checkMCPEnv: each block is for a declared server that runs once per seat;
// its keys are variables or headers, as the server's transport has it. unit
// is the unit whose block lies under a seat's.
func (c *checks) checkMCPEnv(at string, env MCPEnv, unit *Unit) {
	for _, name := range slices.Sorted(maps.Keys(env)) {
		here := key(at, name)
		server, declared := c.servers[name]
		if !declared {
			c.noServer(here, name)
			continue
		}
		if server.Shared {
			c.fault(here, "The server %s runs once for the whole company, so nobody gives it credentials of their own. Write shared: false in its entry (line %d), or take this out.",
				name, server.Line)
			continue
		}
		headers := server.Transport() != "stdio"
		c.checkValues(here, env[name], headers)
		if headers && unit != nil {
			c.spelledAsUnit(here, env[name], unit.MCPEnv[name])
		}
	}
}

// spelledAsUnit: a seat that replaces a header of its unit spells it the
// same way.
func (c *checks) spelledAsUnit(at string, mine, units map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(mine)) {
		for other := range units {
			if other != name && strings.EqualFold(other, name) {
				c.fault(key(at, name), "The seat's unit spells this header %s. Spell it the same way here.", other)
			}
		}
	}
}
