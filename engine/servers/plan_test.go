package servers

import (
	"slices"
	"strings"
	"testing"
	"time"

	"crewlet/config/document"
	"crewlet/engine/secrets"
	"crewlet/mcp/client"
)

// parsed is the one server a document declares.
func parsed(t *testing.T, entry string) *document.Server {
	t.Helper()
	doc, problems := document.Parse([]byte("name: Acme\nmcp_servers:\n  - {name: a, " + entry + "}\n"))
	if err := problems.Or(); err != nil {
		t.Fatal(err)
	}
	return &doc.MCPServers[0]
}

func TestBuild(t *testing.T) {
	t.Parallel()
	stored := map[string]secrets.Value{"TOKEN": {Plain: "sealed", Hosts: []string{"API.example.com"}}, "PORT": {Plain: "99"}}
	environ := []string{"PATH=/bin", "HOME=/root", "REGION=north", "EMPTY=", "CREWLET_KEY=own", "OTHER=x"}
	usual := client.Spec{Name: "a", StartupTimeout: time.Minute, CallTimeout: time.Minute, IdleStop: 10 * time.Minute}
	stdio, web := usual, usual
	stdio.Transport, stdio.Command = client.Stdio, "x"
	web.Transport, web.URL = client.HTTP, "https://api.example.com/mcp"
	for name, c := range map[string]struct {
		entry    string
		loopback bool
		want     client.Spec
		with     func(*client.Spec)
	}{
		"a command": {`command: x, args: ["$HOME", "${TOKEN}"], env: {A: "$${B} $C ${TOKEN}"}`, false, stdio, func(s *client.Spec) {
			s.Args = []string{"$HOME", "${TOKEN}"} // never expanded
			s.Env = []string{"A=${B} $C sealed", "HOME=/root", "PATH=/bin"}
			s.Secrets = []string{"sealed"}
		}},
		"its own layer wins": {`command: x, env: {PATH: /opt}`, false, stdio, func(s *client.Spec) { s.Env = []string{"HOME=/root", "PATH=/opt"} }},
		"from the environment": {`command: x, env: {R: "${REGION}"}`, false, stdio, func(s *client.Spec) {
			s.Env, s.Secrets = []string{"HOME=/root", "PATH=/bin", "R=north"}, []string{"north"}
		}},
		"optional keys are left out": {`command: x, env: {A: "${EMPTY}", B: "b${NONE}", C: c}, optional_keys: [A, B]`, false, stdio, func(s *client.Spec) {
			s.Env = []string{"C=c", "HOME=/root", "PATH=/bin"}
		}},
		"lazy, with roots and times": {`command: x, start: lazy, idle_stop: 90s, timeout: 5, startup_timeout: 2m, roots: [/srv]`, false, stdio, func(s *client.Spec) {
			s.Env = []string{"HOME=/root", "PATH=/bin"}
			s.Lazy, s.IdleStop, s.CallTimeout, s.StartupTimeout, s.Roots = true, 90*time.Second, 5*time.Second, 2*time.Minute, []string{"/srv"}
		}},
		"an address": {`url: "https://api.example.com/mcp", headers: {Authorization: "Bearer ${TOKEN}"}`, true, web, func(s *client.Spec) {
			s.Headers, s.Secrets, s.AllowLoopback = map[string]string{"Authorization": "Bearer sealed"}, []string{"sealed"}, true
		}},
		"private addresses": {`url: "http://127.0.0.1:${PORT}/sse", transport: sse, allow_private_addresses: true`, false, usual, func(s *client.Spec) {
			s.Transport, s.URL, s.Headers, s.Secrets = client.SSE, "http://127.0.0.1:99/sse", map[string]string{}, []string{"99"}
			s.AllowPrivate, s.AllowLoopback = true, true
		}},
		"optional headers meet without case": {`url: "https://api.example.com/mcp", headers: {X-Region: "${NONE}"}, optional_keys: [x-region]`, false, web, func(s *client.Spec) {
			s.Headers = map[string]string{}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.with(&c.want)
			spec, _, held := newResolver(stored, environ, c.loopback).build(parsed(t, c.entry), client.Key{})
			if held != nil || !spec.Equal(c.want) {
				t.Errorf("got %+v %v\nwant %+v", spec, held, c.want)
			}
		})
	}
}

func TestHeldBackSaysTheWayOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		entry     string
		variables []string
		says      []string
		never     string
	}{
		"a variable":       {`command: x, env: {A: "${ONE}"}`, []string{"ONE"}, []string{"${ONE} does not resolve", "Settings › Secrets", "restart the node", "list A under optional_keys"}, ""},
		"two of them":      {`command: x, env: {A: "${ONE}", B: "${TWO}"}`, []string{"ONE", "TWO"}, []string{"${ONE}, ${TWO} do not resolve", "A and B under"}, ""},
		"of the address":   {`url: "https://${ONE}/mcp"`, []string{"ONE"}, []string{"${ONE} does not resolve"}, "optional_keys"},
		"the node's own":   {`command: x, env: {A: "${CREWLET_KEY}"}`, []string{"CREWLET_KEY"}, []string{"does not resolve. Names that begin with CREWLET_ or PG never do: write another one for ${CREWLET_KEY}"}, "environment"},
		"one of them so":   {`command: x, env: {A: "${ONE}", B: "${PGHOST}"}`, []string{"ONE", "PGHOST"}, []string{"${ONE}, ${PGHOST} do not", "for ${PGHOST}", "Store ONE under", "list A under"}, "set ONE, PG"},
		"set to nothing":   {`command: x, env: {A: "${EMPTY}"}`, []string{"EMPTY"}, []string{"does not resolve"}, ""},
		"a name elsewhere": {`command: x, env: {A: "${ONE}", B: b}`, []string{"ONE"}, []string{"list A under"}, "B under"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, held := newResolver(nil, []string{"EMPTY=", "CREWLET_KEY=own"}, false).build(parsed(t, c.entry), client.Key{})
			if held == nil || !slices.Equal(held.variables, c.variables) {
				t.Fatalf("got %+v", held)
			}
			for _, says := range c.says {
				if !strings.Contains(held.says, says) {
					t.Errorf("%q lacks %q", held.says, says)
				}
			}
			if c.never != "" && strings.Contains(held.says, c.never) {
				t.Errorf("%q has %q", held.says, c.never)
			}
		})
	}
}
