package paste

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"crewlet/config/document"
)

// names are the names one text's servers and secrets have been given, so that
// no two are the same.
type names struct {
	servers map[string]bool
	secrets map[string]string // name to the value it stands for
	inputs  map[string]input  // by id
	asked   map[string]string // id of an input to the name of its secret
}

var referenced = regexp.MustCompile(`\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)`)

// foreign marks a name the text itself refers to: what it stands for is not
// known here.
const foreign = "\x00"

func newNames(text []byte, inputs []input) *names {
	n := &names{servers: map[string]bool{}, secrets: map[string]string{}, inputs: map[string]input{}, asked: map[string]string{}}
	for _, in := range inputs {
		n.inputs[in.id] = in
	}
	for _, m := range referenced.FindAllSubmatch(text, -1) {
		n.secrets[string(m[1])] = foreign
	}
	return n
}

const longestName = 40

// server makes a legal name of the one that was written, or of what the entry
// starts. A changed one is told.
func (n *names) server(written string, s *document.Server) (name, note string) {
	from := written
	if from == "" {
		from = guess(s)
	}
	name = document.Slug(from)
	switch {
	case name == "":
		name = "server"
	case name == "crewlet":
		name = "crewlet-server"
	case name[0] < 'a':
		name = "mcp-" + name
	}
	name = strings.TrimRight(name[:min(len(name), longestName)], "-")
	base := name
	for i := 2; n.servers[name]; i++ {
		end := "-" + strconv.Itoa(i)
		name = strings.TrimRight(base[:min(len(base), longestName-len(end))], "-") + end
	}
	n.servers[name] = true
	switch {
	case written == "":
		note = fmt.Sprintf("It had no name and is called %s here; any other name will do.", name)
	case written != name:
		note = fmt.Sprintf("%q is called %s here: names are lower-case letters, digits and dashes, and each is one server's.", clip(written), name)
	}
	return name, note
}

// guess finds a name in what is started: the host, the package, the program.
func guess(s *document.Server) string {
	if s.URL != "" {
		return hostName(s.URL)
	}
	program := path.Base(s.Command)
	if isRunner(program) {
		at := slices.IndexFunc(s.Args, func(arg string) bool {
			return !strings.HasPrefix(arg, "-") && arg != "run" && arg != "exec" && arg != "tool"
		})
		if at >= 0 {
			program = path.Base(s.Args[at])
		}
	}
	program, _, _ = strings.Cut(program, "@")
	for _, part := range []string{"mcp-server-", "server-", "mcp-"} {
		program = strings.TrimPrefix(program, part)
	}
	for _, part := range []string{"-mcp-server", "-server", "-mcp"} {
		program = strings.TrimSuffix(program, part)
	}
	return program
}

// hostName is a host without what says nothing: mcp.linear.app is linear.
func hostName(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	parts := strings.Split(u.Hostname(), ".")
	if len(parts) > 1 {
		parts = parts[:len(parts)-1]
	}
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "www" || part == "mcp" || part == "api" })
	return strings.Join(parts, "-")
}

// isRunner reports whether a program fetches and runs the package named in
// its arguments.
func isRunner(program string) bool {
	switch program {
	case "npx", "npm", "bunx", "pnpm", "yarn", "uvx", "uv", "pipx", "docker", "podman", "node", "python", "python3":
		return true
	}
	return false
}

var notInName = regexp.MustCompile(`[^A-Z0-9_]+`)

// secret makes a name for a value that was taken out of an entry. Two values
// never share one, and none is a name the text refers to already.
func (n *names) secret(server, key, value string) string {
	server = variable(server)
	name := variable(key)
	if isGeneric(name) || len(name) < 3 {
		name = server + "_" + strings.TrimPrefix(name, "X_")
	}
	if document.Reserved(name) {
		name = "MCP_" + name
	}
	for _, candidate := range []string{name, "MCP_" + server + "_" + name} {
		if n.free(candidate, value) {
			return n.take(candidate, value)
		}
	}
	for i := 2; ; i++ {
		if candidate := name + "_" + strconv.Itoa(i); n.free(candidate, value) {
			return n.take(candidate, value)
		}
	}
}

func (n *names) free(name, value string) bool {
	held, taken := n.secrets[name]
	return !taken || held == value && value != ""
}

func (n *names) take(name, value string) string {
	n.secrets[name] = value
	return name
}

// variable makes a variable's name of any text.
func variable(text string) string {
	const most = 60
	name := strings.Trim(notInName.ReplaceAllString(strings.ToUpper(text), "_"), "_")
	if name == "" || name[0] < 'A' {
		name = "MCP_" + name
	}
	return strings.Trim(name[:min(len(name), most)], "_")
}

// isGeneric reports whether a key says nothing about whose credential it is.
func isGeneric(name string) bool {
	switch strings.TrimPrefix(name, "X_") {
	case "TOKEN", "API_KEY", "APIKEY", "KEY", "SECRET", "PASSWORD", "AUTHORIZATION", "COOKIE", "ACCESS_TOKEN", "AUTH_TOKEN",
		"BEARER_TOKEN", "CLIENT_SECRET", "AUTH", "URL_KEY", "PAT", "DATABASE_URL", "CREDENTIALS":
		return true
	}
	return false
}
