package paste

import (
	"fmt"
	"slices"
	"strings"
)

// source is one server as it was written.
type source struct {
	name  string // "" when it has none
	value *value
}

// found is what a text holds.
type found struct {
	servers []source
	inputs  []input
	rest    []string // keys beside the servers
}

// input is a value VS Code asks its user for.
type input struct {
	id, brief string
	plain     bool // what is typed is no password
}

// find tells the forms apart: servers under the key each client has for them,
// a bare map, a list, or one server alone.
func find(root *value) (found, error) {
	var f found
	switch {
	case root.kind == list:
		return f, f.listed(root)
	case root.kind == scalar:
		return f, problem(root.line, "This is one word or sentence, and no server. %s", expected)
	case isServer(root):
		f.servers = []source{{value: root}}
		return f, nil
	}
	if holder := containerIn(root); holder != nil {
		err := f.contained(holder, root)
		return f, err
	}
	if len(root.members) > 0 && !slices.ContainsFunc(root.members, func(m member) bool { return !isServer(m.value) }) {
		return f, f.mapped(root)
	}
	return f, problem(root.line, "There is no server in this. %s", expected)
}

const expected = `A server has a "command" or a "url"; servers stand under "mcpServers" (Claude, Cursor and most others), "servers" (VS Code) or "mcp_servers".`

// containers are the keys under which clients keep their servers.
func containers() []string {
	return []string{"mcpservers", "servers", "mcp", "contextservers", "extensions"}
}

// containerIn finds the member that holds the servers: the likeliest key, on
// the top or one level below ("mcp": {"servers": …}).
func containerIn(root *value) *value {
	for _, key := range containers() {
		for _, m := range root.members {
			if name := fold(m.key); name != key && !strings.HasSuffix(name, "mcpservers") || m.value.kind == scalar || isServer(m.value) {
				continue
			}
			if inner := containerIn(m.value); inner != nil {
				return inner
			}
			return m.value
		}
	}
	return nil
}

// isServer reports whether a value says how a server is started or reached.
func isServer(v *value) bool {
	if v.kind != object {
		return false
	}
	return slices.ContainsFunc(v.members, func(m member) bool {
		switch fold(m.key) {
		case "command", "cmd":
			return m.value.kind != object || m.value.get("path") != nil // Zed's command is a map
		case "url", "httpurl", "serverurl", "uri", "endpoint":
			return m.value.kind == scalar
		}
		return false
	})
}

func (f *found) contained(holder, root *value) error {
	for _, m := range root.members {
		inside := m.value == holder
		for _, below := range m.value.members {
			inside = inside || below.value == holder
			if fold(below.key) == "inputs" {
				f.asks(below.value)
			}
		}
		switch {
		case fold(m.key) == "inputs":
			f.asks(m.value)
		case !inside:
			f.rest = append(f.rest, clip(m.key))
		}
	}
	if len(holder.members)+len(holder.items) == 0 {
		return problem(holder.line, "There is no server in this yet. %s", expected)
	}
	if holder.kind == list {
		return f.listed(holder)
	}
	return f.mapped(holder)
}

func (f *found) mapped(v *value) error {
	for _, m := range v.members {
		if m.value.kind != object {
			return problem(m.line, "%q is no server: a server is a map with a \"command\" or a \"url\".", clip(m.key))
		}
		f.servers = append(f.servers, source{name: m.key, value: m.value})
	}
	return nil
}

func (f *found) listed(v *value) error {
	for _, item := range v.items {
		if !isServer(item) {
			return problem(item.line, "This entry of the list is no server: it has neither a command nor a url.")
		}
		f.servers = append(f.servers, source{value: item})
	}
	if len(f.servers) == 0 {
		return problem(v.line, "The list is empty. %s", expected)
	}
	return nil
}

// asks reads VS Code's inputs.
func (f *found) asks(v *value) {
	for _, item := range v.items {
		id := item.get("id")
		if id == nil || id.kind != scalar {
			continue
		}
		in := input{id: id.text, plain: true}
		if p := item.get("password"); p != nil {
			secret, _ := p.boolean()
			in.plain = !secret
		}
		if d := item.get("description"); d != nil && d.kind == scalar {
			in.brief = clip(strings.Join(strings.Fields(d.text), " "))
		}
		f.inputs = append(f.inputs, in)
	}
}

// beside lists what stood beside the servers and belongs to none of them.
func (f *found) beside() string {
	const most = 10
	names := f.rest
	if len(names) == 0 {
		return ""
	}
	more := ""
	if len(names) > most {
		more = fmt.Sprintf(" and %d more", len(names)-most)
		names = names[:most]
	}
	return "Beside the servers stood " + strings.Join(names, ", ") + more + "; that is no part of a server and was left out."
}
