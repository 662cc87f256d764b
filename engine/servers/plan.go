package servers

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"crewlet/config/document"
	"crewlet/engine/secrets"
	"crewlet/mcp/client"
)

// plan is what a revision, the secrets and this node's environment come to.
type plan struct {
	specs []client.Spec
	held  []heldBack
	empty map[string][]string   // by server, the keys of values that came out empty
	sent  map[client.Key]string // what of an http server's credential may be wrong, when it is refused
}

// heldBack is an instance that may not start, and why.
type heldBack struct {
	key       client.Key
	name      string
	variables []string // that do not resolve; none when something else is wrong
	says      string
}

// planned turns what is declared into what this node starts. Servers that one
// node cannot start yet are left out here, and say why on their row. known
// tells by its print whether a server's tools are filed.
func planned(d *standing, r *resolver, node string, known func(server, print string) bool) plan {
	p := plan{empty: map[string][]string{}, sent: map[client.Key]string{}}
	for i := range d.doc.MCPServers {
		entry := &d.doc.MCPServers[i]
		if !entry.Enabled || unstarted(entry) != "" {
			continue
		}
		spec, res, held := r.build(entry, client.Key{Server: d.ids[entry.Name], Node: node})
		if held != nil {
			p.held = append(p.held, *held)
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(res.values)) {
			if res.values[name] == "" {
				p.empty[entry.Name] = append(p.empty[entry.Name], name)
			}
		}
		spec.Listed = spec.Lazy && known(spec.Key.Server, spec.Print)
		p.specs = append(p.specs, spec)
		p.sent[spec.Key] = res.suspects()
	}
	return p
}

// unstarted says why a declared server is not started by this version.
func unstarted(entry *document.Server) string {
	switch {
	case entry.Auth != nil:
		return "Signing in with OAuth is not supported by this version."
	case !entry.Shared:
		return "One child per seat comes with seats' own credentials."
	default:
		return ""
	}
}

// build makes the spec of one instance, or says what holds it back.
func (r *resolver) build(entry *document.Server, key client.Key) (spec client.Spec, res resolved, held *heldBack) {
	res = r.resolve(entry)
	switch {
	case len(res.missing) > 0:
		return spec, res, &heldBack{key: key, name: entry.Name, variables: res.missing, says: whyHeld(entry, res.missing)}
	case entry.Transport() != "stdio":
		if says := r.misdirected(entry, res); says != "" {
			return spec, res, &heldBack{key: key, name: entry.Name, says: says}
		}
	}
	spec = client.Spec{
		Key: key, Name: entry.Name, Transport: client.Transport(entry.Transport()), Roots: entry.Roots,
		Lazy: entry.Lazy(), IdleStop: entry.IdleStop.Std(),
		StartupTimeout: entry.StartupTimeout.Std(), CallTimeout: entry.Timeout.Std(), Print: r.print(entry, res),
	}
	if entry.Transport() != "stdio" {
		spec.URL, spec.Headers, spec.Secrets = res.url, res.values, r.hidden(res.used, nil)
		spec.AllowPrivate, spec.AllowLoopback = entry.AllowPrivate, entry.AllowPrivate || r.loopback
		return spec, res, nil
	}
	base := client.BaseEnv(r.environ, entry.Command)
	spec.Command, spec.Args, spec.Env = entry.Command, entry.Args, client.WithEnv(base, res.values)
	spec.Secrets = r.hidden(res.used, base)
	return spec, res, nil
}

// resolver is one whose listings are kept.
func (s *Servers) resolver(stored map[string]secrets.Value) *resolver {
	r := newResolver(stored, s.o.Environ, s.o.Node.Loopback)
	r.digest = s.o.Run.Keys.Digest
	return r
}

const filedPrints = `SELECT server, print FROM server_catalogues WHERE seat = ''`

// listedFrom answers whether a server's tools are filed and were listed from
// the same print. Where no server is lazy nobody asks, and nothing is read.
func (s *Servers) listedFrom(ctx context.Context, d *standing) (known func(server, print string) bool, err error) {
	if !slices.ContainsFunc(d.doc.MCPServers, func(e document.Server) bool { return e.Lazy() }) {
		return func(string, string) bool { return false }, nil
	}
	var rows []struct {
		Server string `db:"server"`
		Print  string `db:"print"`
	}
	if err := s.o.DB.SelectContext(ctx, &rows, filedPrints); err != nil {
		return nil, fmt.Errorf("read what is listed: %w", err)
	}
	prints := make(map[string]string, len(rows))
	for _, row := range rows {
		prints[row.Server] = row.Print
	}
	return func(server, print string) bool { return print != "" && prints[server] == print }, nil
}

// print is equal for what lists the same tools, on whatever node and under
// whatever limits: what is started or asked, with the values it is given.
func (r *resolver) print(entry *document.Server, res resolved) string {
	if r.digest == nil {
		return ""
	}
	text, err := json.Marshal(struct {
		Transport, Command, URL string
		Args, Roots             []string
		Values                  map[string]string
	}{entry.Transport(), entry.Command, res.url, entry.Args, entry.Roots, res.values})
	if err != nil {
		panic("an entry is plain data: " + err.Error())
	}
	return hex.EncodeToString(r.digest(text))
}
