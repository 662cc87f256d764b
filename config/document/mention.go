package document

import (
	"maps"
	"slices"
	"strconv"
)

// Mention is one place that names an MCP server beside its own entry.
type Mention struct {
	Path    string // such as units[0].roles[1].tools[2].server
	Pointer string // to the key or the entry that goes when the server does
	Line    int
	key     bool // the name is a key of mcp_env; otherwise it is the server: of an allowlist's entry
}

// Mentions lists where a server is named: under mcp_env of units and seats,
// and in the allowlists of seats.
func Mentions(d *Document, server string) []Mention {
	var out []Mention
	env := func(at string, steps []string, env MCPEnv) {
		for _, name := range slices.Sorted(maps.Keys(env)) {
			if name == server {
				here := key(at+".mcp_env", name)
				out = append(out, Mention{Path: here, Pointer: Pointer(with(steps, "mcp_env", name)...), Line: d.Line(here), key: true})
			}
		}
	}
	seats := func(at string, steps []string, roles []Role) {
		for i := range roles {
			here, steps := index(at, i), with(steps, "roles", strconv.Itoa(i))
			env(here, steps, roles[i].MCPEnv)
			for j, t := range roles[i].Tools {
				if t.Server == server {
					entry := index(here+".tools", j)
					out = append(out, Mention{Path: entry + ".server", Pointer: Pointer(with(steps, "tools", strconv.Itoa(j))...), Line: d.Line(entry + ".server")})
				}
			}
		}
	}
	var units func(at string, steps []string, list []Unit)
	units = func(at string, steps []string, list []Unit) {
		for i := range list {
			here, steps := index(at, i), with(steps, strconv.Itoa(i))
			env(here, steps, list[i].MCPEnv)
			seats(here+".roles", steps, list[i].Roles)
			units(here+".children", with(steps, "children"), list[i].Children)
		}
	}
	seats("roles", nil, d.Roles)
	units("units", []string{"units"}, d.Units)
	return out
}

func with(steps []string, more ...string) []string { return append(slices.Clone(steps), more...) }

// RenameEdits are the edits that rename a server and every mention of it. ok
// is false when no server has the old name.
func RenameEdits(d *Document, old, name string) (edits []Edit, ok bool) {
	at := slices.Index(d.names(), old)
	if at < 0 {
		return nil, false
	}
	edits = []Edit{{Op: "rename", Path: Pointer("mcp_servers", strconv.Itoa(at)), Name: name}}
	for _, m := range Mentions(d, old) {
		if m.key {
			edits = append(edits, Edit{Op: "rename", Path: m.Pointer, Name: name})
		} else {
			edits = append(edits, Edit{Op: "replace", Path: m.Pointer + "/server", Value: name})
		}
	}
	return edits, true
}

// RemoveEdits are the edits that take a server out, and every mention of it.
// ok is false when no server has the name.
func RemoveEdits(d *Document, name string) (edits []Edit, ok bool) {
	at := slices.Index(d.names(), name)
	if at < 0 {
		return nil, false
	}
	// From the end, so that no edit moves what the next one points to.
	for _, m := range slices.Backward(Mentions(d, name)) {
		edits = append(edits, Edit{Op: "remove", Path: m.Pointer})
	}
	return append(edits, Edit{Op: "remove", Path: Pointer("mcp_servers", strconv.Itoa(at))}), true
}

func (d *Document) names() []string {
	out := make([]string, len(d.MCPServers))
	for i, s := range d.MCPServers {
		out[i] = s.Name
	}
	return out
}
