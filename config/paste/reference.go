package paste

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"crewlet/config/document"
)

var (
	braced = regexp.MustCompile(`\$?\$\{[^{}]*\}|\{env:[A-Za-z_][A-Za-z0-9_]*\}`)
	inner  = regexp.MustCompile(`^(?:env:|ENV:)?([A-Za-z_][A-Za-z0-9_.]*)(:?[-?+=].*)?$`)
	// loneDollar is $NAME as a whole value, or behind a header's scheme.
	loneDollar = regexp.MustCompile(`^((?:(?i:bearer|basic|token) )?)\$([A-Z_][A-Z0-9_]*)$`)
)

// reference writes others' references our way, ${NAME}, in the value of a
// key. A default makes the key optional: references have none here.
func (r *reading) reference(key, written string) string {
	if m := loneDollar.FindStringSubmatch(written); m != nil {
		return m[1] + r.named(key, m[2])
	}
	return braced.ReplaceAllStringFunc(written, func(found string) string {
		if strings.HasPrefix(found, "$$") {
			return found // a literal ${ of our own
		}
		if name, ok := strings.CutPrefix(found, "{env:"); ok {
			return r.named(key, strings.TrimSuffix(name, "}"))
		}
		what := strings.TrimSuffix(strings.TrimPrefix(found, "${"), "}")
		if id, ok := strings.CutPrefix(what, "input:"); ok {
			return r.ask(key, id)
		}
		m := inner.FindStringSubmatch(what)
		if m == nil || isEditors(m[1]) {
			r.note(fmt.Sprintf("%s uses %s, which only an editor knows. Write what it stands for.", clip(key), clip(found)))
			return found
		}
		if m[2] != "" {
			r.defaulted(key, m[1])
		}
		return r.named(key, m[1])
	})
}

// named is a reference to a name, made one that can resolve.
func (r *reading) named(key, name string) string {
	legal := name
	if strings.ContainsAny(name, ".-") {
		legal = variable(name)
	}
	if document.Reserved(legal) {
		legal = "MCP_" + legal
	}
	if legal != name {
		r.note(fmt.Sprintf("%s used ${%s}, which never resolves here; it is ${%s} now. Store it under that name.", clip(key), clip(name), legal))
		r.names.secrets[legal] = foreign
	}
	return "${" + legal + "}"
}

// defaulted says what becomes of a default, without showing it: it may be a
// credential.
func (r *reading) defaulted(key, name string) {
	if key == "url" || strings.HasPrefix(key, "auth.") {
		r.note(fmt.Sprintf("%s had a default for %s, and references have none: store %s, or write the value itself.", key, name, name))
		return
	}
	if !slices.Contains(r.entry.Server.OptionalKeys, key) {
		r.entry.Server.OptionalKeys = append(r.entry.Server.OptionalKeys, key)
	}
	r.note(fmt.Sprintf("%s had a default for %s, and references have none: it is left out while %s is not stored.", clip(key), name, name))
}

// ask stands in for what VS Code asks its user: a secret, to be stored first.
func (r *reading) ask(key, id string) string {
	name, known := r.names.asked[id]
	if !known {
		name = r.names.secret(r.entry.Name, id, "")
		r.names.asked[id] = name
	}
	if !slices.ContainsFunc(r.entry.Secrets, func(s Secret) bool { return s.Name == name && s.Key == key }) {
		r.entry.Secrets = append(r.entry.Secrets, Secret{Name: name, Key: key})
	}
	says := fmt.Sprintf("%s is asked for when the server is used elsewhere; here it is stored once, as %s.", clip(key), name)
	if in := r.names.inputs[id]; in.brief != "" {
		says = fmt.Sprintf("%s is asked for elsewhere (%s); here it is stored once, as %s.", clip(key), in.brief, name)
	}
	r.note(says)
	return "${" + name + "}"
}

// isEditors reports whether a name is a variable of VS Code or of a plugin,
// which stands for a path.
func isEditors(name string) bool {
	switch name {
	case "workspaceFolder", "workspaceFolderBasename", "workspaceRoot", "userHome", "pathSeparator", "cwd", "file", "fileDirname",
		"CLAUDE_PLUGIN_ROOT", "CLAUDE_PROJECT_DIR", "__dirname":
		return true
	}
	return false
}
