package main

import (
	"path/filepath"
	"strings"
	"testing"

	"crewlet/engine/company"
	"crewlet/engine/refusal"
)

func TestAddingAServerRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"nothing to start":          {[]string{"x"}, "Say how the server is started"},
		"a preset nobody knows":     {[]string{"x", "--preset", "gitlabb"}, "Did you mean gitlab?"},
		"a url and a command":       {[]string{"x", "--url", "https://x.example", "--", "npx"}, "not both"},
		"arguments for an address":  {[]string{"x", "--preset", "github", "--", "npx"}, "takes no arguments"},
		"no value":                  {[]string{"x", "--env", "LOG_LEVEL", "--", "npx"}, "KEY=VALUE"},
		"a credential":              {[]string{"x", "--env", "HUB_TOKEN=swordfish", "--", "npx"}, `--env HUB_TOKEN='${NAME}'`},
		"a credential by its shape": {[]string{"x", "--env", "HUB=ghp_swordfish", "--", "npx"}, "crewlet secrets set NAME"},
		"a credential in a header":  {[]string{"x", "--url", "https://x.example", "--header", "Authorization=Bearer swordfish"}, `--header Authorization='${NAME}'`},
		"one beside a preset":       {[]string{"x", "--preset", "tavily", "--env", "TAVILY_API_KEY=tvly-swordfish"}, "TAVILY_API_KEY looks like a credential"},
		"one in the arguments":      {[]string{"x", "--", "npx", "hub", "--key=ghp_swordfish"}, "Argument 2 looks like a credential"},
		"one after a flag":          {[]string{"x", "--", "npx", "hub", "--token", "swordfish"}, "Argument 3 looks like a credential"},
		"one in the address":        {[]string{"x", "--url", "https://x.example/mcp?apiKey=swordfish"}, "apiKey in the address"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := given(t, "", append([]string{"mcp", "add"}, c.args...)...)
			if err == nil || exitCode(err) != 2 || !strings.Contains(says(err), c.says) || strings.Contains(says(err), "swordfish") {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
}

// What is wrong is said once.
func TestARefusalIsSaidOnce(t *testing.T) {
	one := company.Problem{Path: "mcp_servers[0].command", Line: 3, Message: "is more than one word."}
	no := refusal.Invalid.Say("command: is more than one word.").Beside("command", "Is more than one word.")
	if got := says(no.With("problems", []company.Problem{one})); got != "command: is more than one word." {
		t.Errorf("got %q", got)
	}
	if got := says(no.With("problems", []company.Problem{one, one})); strings.Count(got, "line 3: mcp_servers[0].command: is more") != 2 {
		t.Errorf("of two, got %q", got)
	}
	if got := says(refusal.Invalid.Say("No.").Beside("name", "A name.")); got != "No.\n  name: A name." {
		t.Errorf("beside a field, got %q", got)
	}
}

// step is one command beside a serving node: what it says, or why it is
// refused.
type step struct {
	line  string // MEMORY stands for a program that speaks MCP
	says  []string
	wrong string
}

func TestServersAtTheTerminal(t *testing.T) {
	s := serving(t)
	for _, c := range []step{
		{line: "mcp list"},
		{line: "mcp add memory -- node MEMORY", says: []string{"memory is added. This is revision 2 now.", "there must be node"}},
		{line: "mcp add search --preset tavily", says: []string{"there must be npx", "held back until TAVILY_API_KEY is stored: crewlet secrets set TAVILY_API_KEY"}},
		{line: "mcp add hub --url https://hub.invalid/mcp --header X-Team=kites --header Authorization=Bearer:${HUB}", says: []string{"crewlet secrets set HUB"}},
		{line: "mcp add github --preset github", says: []string{"Nothing starts until a seat", "Authorization: Bearer ${GITHUB_TOKEN_ANA}"}},
		{line: "mcp add files --preset filesystem --command no-such-program -- /srv", says: []string{"there must be no-such-program"}},
		{line: "mcp add docs --preset filesystem --env PUBLIC_TOKEN=none --plain -- /srv/kites", says: []string{"docs is added"}},
		{line: "mcp add memory -- node MEMORY", wrong: "There is a server memory already."},
		{line: "mcp add Memory -- node MEMORY", wrong: "lower-case"},
		{line: "mcp add other --env CREWLET_X=1 -- node MEMORY", wrong: "CREWLET_"},
		{line: "mcp remove docs --summary Done", says: []string{"docs is removed."}},
		{line: "mcp remove docs", wrong: "No server docs is declared."},
	} {
		s.steps(t, c)
	}
	eventually(t, "the list shows a running server", func() bool {
		out, err := s.command(t, "", "mcp", "list")
		return err == nil && strings.Contains(out, "memory") && strings.Contains(out, "Running") && strings.Contains(out, "https://hub.invalid/mcp")
	})
	s.removesWithReferences(t)
}

// steps runs one command, and fails the test unless it goes as it should.
func (s *site) steps(t *testing.T, c step) {
	t.Helper()
	memory, err := filepath.Abs("../node_modules/@modelcontextprotocol/server-memory/dist/index.js")
	if err != nil {
		t.Fatal(err)
	}
	args := strings.Fields(c.line)
	for i := range args {
		args[i] = strings.ReplaceAll(strings.ReplaceAll(args[i], "MEMORY", memory), "Bearer:", "Bearer ")
	}
	out, err := s.command(t, "", args...)
	if c.wrong != "" {
		if err == nil || !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s: got %v, want %q", c.line, err, c.wrong)
		}
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", c.line, err)
	}
	for _, says := range c.says {
		if !strings.Contains(out, says) {
			t.Errorf("%s: says %q, want %q", c.line, out, says)
		}
	}
}

// removesWithReferences: what names a server keeps it, unless it goes too.
func (s *site) removesWithReferences(t *testing.T) {
	t.Helper()
	was, err := s.command(t, "", "company", "show")
	if err != nil {
		t.Fatal(err)
	}
	with := was + "roles:\n  - name: Ana\n    mcp_env:\n      github:\n        Authorization: Bearer ${GITHUB_TOKEN_ANA}\n"
	s.importOver(t, with)
	s.steps(t, step{line: "mcp remove github", wrong: "roles[0].mcp_env.github"})
	s.steps(t, step{line: "mcp remove github --with-references", says: []string{"github is removed."}})
	now, err := s.command(t, "", "company", "show")
	if err != nil || strings.Contains(now, "github") || !strings.Contains(now, "TAVILY_API_KEY: ${TAVILY_API_KEY}") {
		t.Errorf("the document says\n%s%v", now, err)
	}
}
