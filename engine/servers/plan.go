package servers

import (
	"maps"
	"slices"

	"crewlet/config/document"
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
// node cannot start yet are left out here, and say why on their row.
func planned(d *standing, r *resolver, node string) plan {
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
		StartupTimeout: entry.StartupTimeout.Std(), CallTimeout: entry.Timeout.Std(),
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
