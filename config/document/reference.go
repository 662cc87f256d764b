package document

import (
	"maps"
	"slices"
	"strings"
)

// Reference is one place where a ${NAME} stands.
type Reference struct {
	Name   string // of the secret
	Path   string // of the value it stands in
	Line   int    // 1-based
	Server string // the MCP server that is started with it, if it is one
}

// Reserved reports whether a name never resolves in ${}: it is the node's own.
func Reserved(name string) bool {
	return strings.HasPrefix(name, "CREWLET_") || strings.HasPrefix(name, "PG")
}

// References lists every ${NAME} of a document, in the order of its lines:
// in env, headers and url of a server, its OAuth client secret, in mcp_env
// of units and seats, and in the keys of model providers.
func References(d *Document) []Reference {
	var out []Reference
	add := func(server, at, value string, line int) {
		for _, name := range namesIn(value) {
			out = append(out, Reference{Name: name, Path: at, Line: line, Server: server})
		}
	}
	for i := range d.MCPServers {
		s, at := &d.MCPServers[i], index("mcp_servers", i)
		block := func(key string, values map[string]string) {
			d.eachValue(at+"."+key, values, s.Line, func(p, v string, line int) { add(s.Name, p, v, line) })
		}
		add(s.Name, at+".url", s.URL, d.lineOf(at+".url", s.Line))
		block("env", s.Env)
		block("headers", s.Headers)
		if s.Auth != nil {
			add(s.Name, at+".auth.client_secret", s.Auth.ClientSecret, d.lineOf(at+".auth.client_secret", s.Line))
		}
	}
	for _, b := range d.Credentials() {
		d.eachValue(b.Path, b.Values, b.Line, func(p, v string, line int) { add(b.Server, p, v, line) })
	}
	for i, conn := range d.Providers.Connections {
		for j, k := range conn.Keys {
			at := index(index("providers.connections", i)+".keys", j)
			add("", at, k, d.lineOf(at, 1))
		}
	}
	slices.SortStableFunc(out, func(a, b Reference) int { return a.Line - b.Line })
	return out
}

// Block is what a unit or a seat gives one server under mcp_env.
type Block struct {
	Server string
	Unit   *Unit // nil when a seat gives it
	Seat   *Role // nil when a unit gives it
	Values map[string]string
	Path   string // such as units[0].roles[1].mcp_env.github
	Line   int
}

// Credentials lists every block of mcp_env: units' first, then seats', by
// server within each.
func (d *Document) Credentials() []Block {
	var out []Block
	for _, u := range d.AllUnits() {
		for _, server := range slices.Sorted(maps.Keys(u.Unit.MCPEnv)) {
			at := key(u.Path+".mcp_env", server)
			out = append(out, Block{Server: server, Unit: u.Unit, Values: u.Unit.MCPEnv[server], Path: at, Line: d.lineOf(at, u.Unit.Line)})
		}
	}
	for _, s := range d.Seats() {
		for _, server := range slices.Sorted(maps.Keys(s.Role.MCPEnv)) {
			at := key(s.Path+".mcp_env", server)
			out = append(out, Block{Server: server, Seat: s.Role, Values: s.Role.MCPEnv[server], Path: at, Line: d.lineOf(at, s.Role.Line)})
		}
	}
	return out
}

// Merge lays blocks of mcp_env over what an entry gives: the unit's first,
// then the seat's, key by key. Header names meet without case, and the later
// spelling takes the place of the earlier.
func (s *Server) Merge(blocks ...map[string]string) map[string]string {
	out := maps.Clone(s.Values())
	if out == nil {
		out = map[string]string{}
	}
	for _, b := range blocks {
		for name, value := range b {
			if s.Transport() != "stdio" {
				maps.DeleteFunc(out, func(other, _ string) bool { return strings.EqualFold(other, name) })
			}
			out[name] = value
		}
	}
	return out
}

func (d *Document) eachValue(at string, values map[string]string, line int, do func(path, value string, line int)) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		here := key(at, name)
		do(here, values[name], d.lineOf(here, line))
	}
}

// lineOf is the line a path stands on, or otherwise when it was not written.
func (d *Document) lineOf(at string, otherwise int) int {
	if p, ok := d.places[at]; ok {
		return p.line
	}
	return otherwise
}

// Line is the 1-based line of a path in the author's text, or of the nearest
// thing around it that was written.
func (d *Document) Line(at string) int {
	for at != "" {
		if p, ok := d.places[at]; ok {
			return p.line
		}
		at = at[:max(strings.LastIndexAny(at, ".["), 0)]
	}
	return 1
}
