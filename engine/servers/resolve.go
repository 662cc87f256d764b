package servers

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"crewlet/config/document"
	"crewlet/engine/secrets"
)

// resolver knows what ${NAME} stands for on this node.
type resolver struct {
	stored   map[string]secrets.Value
	environ  []string
	env      map[string]string
	loopback bool                // the node itself can be reached from its own machine only
	digest   func([]byte) []byte // keyed; nil where no listing is kept
}

func newResolver(stored map[string]secrets.Value, environ []string, loopback bool) *resolver {
	r := &resolver{stored: stored, environ: environ, env: map[string]string{}, loopback: loopback}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		r.env[name] = value // of two, the last counts
	}
	return r
}

// lookup takes the secret store first. A variable set to nothing does not
// resolve, and the node's own never do.
func (r *resolver) lookup(name string) (string, bool) {
	if document.Reserved(name) {
		return "", false
	}
	if v, ok := r.stored[name]; ok {
		return v.Plain, true
	}
	value := r.env[name]
	return value, value != ""
}

// resolved is an entry with values in place of its references.
type resolved struct {
	values  map[string]string // of env or headers
	url     string
	used    []string // the names whose values are in it, each once
	known   []string // those values
	missing []string // those that do not resolve and may not be left out
	// secret are the keys of values, in lower case, that hold a reference; and
	// "url" when a sealed value is in it.
	secret map[string]bool
}

// resolve puts values into what an entry is started with. A key listed as
// optional is left out, whole, when something in it does not resolve; the url
// never is.
func (r *resolver) resolve(entry *document.Server) resolved {
	out := resolved{values: map[string]string{}, secret: map[string]bool{}}
	for _, name := range slices.Sorted(maps.Keys(entry.Values())) {
		value, used, gone := r.expand(entry.Values()[name])
		switch {
		case len(gone) == 0:
			out.values[name] = value
			out.secret[strings.ToLower(name)] = len(used) > 0
			out.used = append(out.used, used...)
		case !optional(entry, name):
			out.missing = append(out.missing, gone...)
		}
	}
	if entry.URL != "" {
		value, used, gone := r.expand(entry.URL)
		out.url = value
		if slices.ContainsFunc(used, func(name string) bool { _, sealed := r.stored[name]; return sealed }) {
			out.secret["url"] = true
		}
		out.used, out.missing = append(out.used, used...), append(out.missing, gone...)
	}
	slices.Sort(out.used)
	slices.Sort(out.missing)
	out.used, out.missing = slices.Compact(out.used), slices.Compact(out.missing)
	for _, name := range out.used {
		value, _ := r.lookup(name)
		out.known = append(out.known, value)
	}
	return out
}

// suspects says what to look at when a server refuses the credential it is
// sent, or wants one.
func (res resolved) suspects() string {
	switch {
	case len(res.used) > 0:
		return fmt.Sprintf("What was sent may be wrong or expired: ${%s}. Store it anew under Settings › Secrets.", strings.Join(res.used, "}, ${"))
	case len(res.values) > 0:
		return "What was sent may be wrong or expired: look at the headers of its declaration."
	default:
		return "Its declaration gives no credential: add one under headers, as ${NAME}, or set up OAuth."
	}
}

func (r *resolver) expand(text string) (value string, used, gone []string) {
	value, gone = document.Expand(text, func(ref string) (string, bool) {
		v, ok := r.lookup(ref)
		if ok {
			used = append(used, ref)
		}
		return v, ok
	})
	return value, used, gone
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
	names, them := "${"+strings.Join(missing, "}, ${")+"} does", "it"
	if len(missing) > 1 {
		names, them = "${"+strings.Join(missing, "}, ${")+"} do", "them"
	}
	says := "Held back: " + names + " not resolve."
	if never := only(missing, true); len(never) > 0 { // neither way out is one for these
		says += fmt.Sprintf(" Names that begin with CREWLET_ or PG never do: write another one for ${%s}, and store the value under that.", strings.Join(never, "}, ${"))
		if missing = only(missing, false); len(missing) == 0 {
			return says
		}
		them = strings.Join(missing, " and ")
	}
	says += fmt.Sprintf(" Store %s under Settings › Secrets, which starts the server without a restart. Or set %s in this node's environment and restart the node",
		them, strings.Join(missing, ", "))
	var keys []string
	for _, key := range slices.Sorted(maps.Keys(entry.Values())) {
		if needs(entry.Values()[key], missing) {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 || needs(entry.URL, missing) { // an address is never left out
		return says + "."
	}
	return says + fmt.Sprintf("; or list %s under optional_keys, so that the server starts without it.", strings.Join(keys, " and "))
}

// only are the names that are the node's own, or those that are not.
func only(names []string, reserved bool) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return document.Reserved(name) != reserved })
}

// needs reports whether a value refers to one of the names.
func needs(value string, names []string) bool {
	_, gone := document.Expand(value, func(ref string) (string, bool) { return "", !slices.Contains(names, ref) })
	return len(gone) > 0
}
