package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"crewlet/engine/servers"
	"crewlet/mcp/client"
)

// TestTryingAServerLeavesNothing: the command ends what it started, and
// nothing of the node that serves beside it.
func TestTryingAServerLeavesNothing(t *testing.T) {
	s := serving(t)
	for _, line := range []string{"mcp add memory -- node MEMORY", "mcp add search --preset tavily", "mcp add files -- no-such-program"} {
		s.steps(t, step{line: line, says: []string{"is added"}})
	}
	id, err := os.ReadFile(filepath.Join((&program{environ: s.environ}).getenv("CREWLET_DATA"), "node"))
	if err != nil {
		t.Fatal(err)
	}
	children := func() []int {
		pids, err := client.Marked(strings.TrimSpace(string(id)) + ".")
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(pids)
		return pids
	}
	eventually(t, "the node's own child runs", func() bool {
		out, err := s.command(t, "", "mcp", "list")
		return err == nil && strings.Contains(out, "Running")
	})
	before := children()
	for _, c := range []step{
		{line: "mcp test memory", says: []string{"memory: It answers", "create_entities"}},
		{line: "mcp test search", wrong: "TAVILY_API_KEY"},
		{line: "mcp test files", wrong: "Not found on PATH: no-such-program."},
		{line: "mcp test memori", wrong: "Did you mean memory?"},
		{line: "mcp test nothing-like-it", wrong: "crewlet mcp list"},
	} {
		s.steps(t, c)
	}
	if after := children(); len(before) == 0 || !slices.Equal(before, after) {
		t.Errorf("the children were %v and are %v", before, after)
	}
}

// What a server says is printed with nothing in it that a terminal obeys.
func TestATerminalObeysNoServer(t *testing.T) {
	var told bytes.Buffer
	p := &program{stdout: &told, stderr: &told}
	const clears = "gone\x1b[2J"
	err := p.tellTried("files", servers.Tried{Says: clears, StderrTail: []string{clears}})
	if err == nil || strings.Contains(err.Error()+told.String(), "\x1b") {
		t.Errorf("failed, it prints %q and %v", told.String(), err)
	}
	if err := p.tellTried("files", servers.Tried{OK: true, Says: clears, Tools: []servers.ToolBrief{{Name: "a", Title: clears}}}); err != nil || strings.Contains(told.String(), "\x1b") {
		t.Errorf("it prints %q", told.String())
	}
}
