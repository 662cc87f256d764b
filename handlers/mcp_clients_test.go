package handlers

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"crewlet/engine/tool"
)

// runNode runs a script of testdata/mcp, or what npm installed, with the home
// folder empty. It answers what was printed and the exit code.
func runNode(t *testing.T, script string, args ...string) ([]byte, int) {
	t.Helper()
	if _, err := os.Stat(script); err != nil {
		t.Fatalf("%v; what npm installs is there after: npm ci", err)
	}
	c := exec.CommandContext(t.Context(), "node", append([]string{script}, args...)...)
	c.Env = append(os.Environ(), "HOME="+t.TempDir())
	var said, wrong bytes.Buffer
	c.Stdout, c.Stderr = &said, &wrong
	err := c.Run()
	if err != nil && said.Len() == 0 {
		t.Fatalf("%s: %v\n%.2000s", filepath.Base(script), err, wrong.String())
	}
	return said.Bytes(), c.ProcessState.ExitCode()
}

// seen is what testdata/mcp/scenario.mjs prints.
type seen struct {
	Tools                                                  []string
	Read, First, Again, Other, Missing, Strange, Elsewhere called
	Unknown                                                struct{ Code int }
	Version                                                string
}

func TestTheOfficialClients(t *testing.T) {
	t.Parallel()
	for _, client := range []string{"v1", "v2"} {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			key := tool.NewKey()
			said, _ := runNode(t, "testdata/mcp/"+client+".mjs", b.url+"/operator/mcp", b.mint(true, "all").Value, key)
			var got seen
			if err := json.Unmarshal(said, &got); err != nil {
				t.Fatalf("%v: %.2000s", err, said)
			}
			if !slices.Contains(got.Tools, "switch_mcp_server") || slices.Contains(got.Tools, "set_secret") || got.Version != "crewlet" {
				t.Errorf("%s lists %v", got.Version, got.Tools)
			}
			got.holds(t, key)
			if n := b.rows(`SELECT count(*) FROM changes WHERE kind = 'company.revised'`); n != 2 {
				t.Errorf("%d revisions are there, want the first and one more", n)
			}
		})
	}
}

func (got seen) holds(t *testing.T, key string) {
	t.Helper()
	for name, c := range map[string]struct {
		answer called
		holds  map[string]any
	}{
		"a read":                  {got.Read, map[string]any{"name": "Acme"}},
		"a write":                 {got.First, map[string]any{"op_id": key, "outcome": "applied", "revision_id": 2.0}},
		"a repeat":                {got.Again, map[string]any{"op_id": key, "outcome": "applied", "revision_id": 2.0}},
		"the key for another":     {got.Other, map[string]any{"op_id": key, "error": "conflict"}},
		"what is not there":       {got.Missing, map[string]any{"error": "not_found"}},
		"a strange argument":      {got.Strange, map[string]any{"error": "invalid"}},
		"a tool of the dashboard": {got.Elsewhere, map[string]any{"error": "forbidden"}},
	} {
		var fields map[string]any
		if err := json.Unmarshal(c.answer.Content, &fields); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for field, want := range c.holds {
			if fields[field] != want {
				t.Errorf("%s: %s is %v, want %v in %s", name, field, fields[field], want, c.answer.Content)
			}
		}
		if _, no := c.holds["error"]; no != c.answer.Error {
			t.Errorf("%s: isError is %v", name, c.answer.Error)
		}
	}
	if !bytes.Equal(got.First.Content, got.Again.Content) {
		t.Errorf("the repeat answers %s, the first %s", got.Again.Content, got.First.Content)
	}
	if got.Unknown.Code != -32602 {
		t.Errorf("a tool there is not answers %d", got.Unknown.Code)
	}
}

// rows counts by a query.
func (b *bench) rows(query string, args ...any) int {
	b.t.Helper()
	var n int
	b.must(b.DB.GetContext(b.t.Context(), &n, query, args...))
	return n
}

func TestTheInspector(t *testing.T) {
	t.Parallel()
	b := open(t)
	token, key := b.mint(true, "all").Value, tool.NewKey()
	inspect := func(args ...string) (string, int) {
		script := "../node_modules/@modelcontextprotocol/inspector-cli/build/cli.js"
		said, code := runNode(t, script, append([]string{"--cli", b.url + "/operator/mcp", "--transport", "http", "--header", "Authorization: Bearer " + token}, args...)...)
		return string(said), code
	}
	for name, c := range map[string]struct {
		args  []string
		holds string
		exit  int
	}{
		"a list":    {[]string{"--method", "tools/list"}, `"switch_mcp_server"`, 0},
		"a call":    {[]string{"--method", "tools/call", "--tool-name", "reload_config", "--tool-arg", "op_id=" + key}, key, 0},
		"a refusal": {[]string{"--method", "tools/call", "--tool-name", "get_tool", "--tool-arg", "name=fly"}, `not_found`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			said, code := inspect(c.args...)
			if code != c.exit || !bytes.Contains([]byte(said), []byte(c.holds)) {
				t.Errorf("exit %d, want %d: %.1500s", code, c.exit, said)
			}
		})
	}
}
