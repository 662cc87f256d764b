package servers

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"crewlet/config/document"
	"crewlet/engine/secrets"
	"crewlet/mcp/client"
)

// plan is what a revision, the secrets and this node's environment come to.
type plan struct {
	specs []client.Spec
	held  []heldBack
	empty []string // server and key of values that came out empty
}

// heldBack is an instance that may not start, and why.
type heldBack struct {
	key       client.Key
	name      string
	variables []string
	says      string
}

// resolver knows what ${NAME} stands for on this node.
type resolver struct {
	stored  map[string]secrets.Value
	environ []string
	env     map[string]string
}

func newResolver(stored map[string]secrets.Value, environ []string) *resolver {
	r := &resolver{stored: stored, environ: environ, env: map[string]string{}}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		r.env[name] = value // of two, the last counts
	}
	return r
}

// lookup takes the secret store first. A variable set to nothing does not
// resolve, and the node's own never do.
func (r *resolver) lookup(name string) (string, bool) {
	if secrets.Reserved(name) {
		return "", false
	}
	if v, ok := r.stored[name]; ok {
		return v.Plain, true
	}
	value := r.env[name]
	return value, value != ""
}

// planned turns what is declared into what this node starts. Servers that one
// node cannot start yet are left out here, and say why on their row.
func planned(d *standing, r *resolver, node string) plan {
	var p plan
	for i := range d.doc.MCPServers {
		entry := &d.doc.MCPServers[i]
		if !entry.Enabled || unstarted(entry) != "" {
			continue
		}
		key := client.Key{Server: d.ids[entry.Name], Node: node}
		env, used, missing := r.resolve(entry)
		if len(missing) > 0 {
			p.held = append(p.held, heldBack{key: key, name: entry.Name, variables: missing, says: whyHeld(entry, missing)})
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(env)) {
			if env[name] == "" {
				p.empty = append(p.empty, entry.Name+"."+name)
			}
		}
		p.specs = append(p.specs, r.spec(entry, key, env, used))
	}
	return p
}

// unstarted says why a declared server is not started by this version.
func unstarted(entry *document.Server) string {
	switch {
	case entry.Transport() != "stdio":
		return "Servers reached over " + entry.Transport() + " are not supported by this version."
	case !entry.Shared:
		return "One child per seat comes with seats' own credentials."
	default:
		return ""
	}
}

// spec is the child as it is started.
func (r *resolver) spec(entry *document.Server, key client.Key, env map[string]string, used []string) client.Spec {
	base := client.BaseEnv(r.environ, entry.Command)
	return client.Spec{
		Key: key, Name: entry.Name, Command: entry.Command, Args: entry.Args,
		Env:            client.WithEnv(base, env),
		StartupTimeout: entry.StartupTimeout.Std(), CallTimeout: entry.Timeout.Std(),
		Secrets: r.hidden(used, base),
	}
}

// resolve puts values into an entry's environment. A key listed as optional is
// left out, whole, when something in it does not resolve.
func (r *resolver) resolve(entry *document.Server) (env map[string]string, used, missing []string) {
	env = map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(entry.Env)) {
		var here []string
		value, gone := document.Expand(entry.Env[name], func(ref string) (string, bool) {
			here = append(here, ref)
			return r.lookup(ref)
		})
		switch {
		case len(gone) == 0:
			env[name] = value
			used = append(used, here...)
		case !slices.Contains(entry.OptionalKeys, name):
			missing = append(missing, gone...)
		}
	}
	slices.Sort(missing)
	return env, used, slices.Compact(missing)
}

// hidden are the values never to be shown: sealed ones, and those of the
// node's environment that a child is not given anyway.
func (r *resolver) hidden(used, base []string) []string {
	var values []string
	for _, name := range used {
		value, _ := r.lookup(name)
		_, sealed := r.stored[name]
		if sealed || !slices.Contains(base, name+"="+value) {
			values = append(values, value)
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// whyHeld names the variables and each way out.
func whyHeld(entry *document.Server, missing []string) string {
	names, them, list := "${"+missing[0]+"} does", "it", missing[0]
	if len(missing) > 1 {
		names, them = "${"+strings.Join(missing, "}, ${")+"} do", "them"
		list = strings.Join(missing, ", ")
	}
	var keys []string
	for _, key := range slices.Sorted(maps.Keys(entry.Env)) {
		_, gone := document.Expand(entry.Env[key], func(ref string) (string, bool) { return "", !slices.Contains(missing, ref) })
		if len(gone) > 0 {
			keys = append(keys, key)
		}
	}
	return fmt.Sprintf("Held back: %s not resolve. Store %s under Settings › Secrets, which starts the server without a restart; "+
		"or set %s in this node's environment and restart the node; or list %s under optional_keys, so that the server starts without it.",
		names, them, list, strings.Join(keys, " and "))
}
