package client

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// everything is the reference server of the protocol's authors, from npm.
func everything(t *testing.T) string {
	t.Helper()
	file, err := filepath.Abs("../../node_modules/@modelcontextprotocol/server-everything/dist/index.js")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Fatalf("the real server is not installed; this installs it: npm ci (%v)", err)
	}
	return file
}

func realServer(command string, args ...string) Spec {
	return Spec{
		Key: Key{Server: "everything", Node: "node-1"}, Name: "everything",
		Command: command, Args: args, Env: BaseEnv(os.Environ(), command),
	}
}

func TestRealServerFromNPM(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	spec := realServer("node", everything(t), "stdio")
	h.pool.Apply([]Spec{spec})
	r := h.running(spec.Name)
	if r.Era != "2025-11-25" || r.Server.Name == "" || r.Instructions == "" || len(r.Catalogue.Tools) < 10 || r.Skipped.Count != 0 {
		t.Errorf("got %+v", r)
	}
	if !r.Catalogue.Capabilities.Resources || !r.Catalogue.Capabilities.Prompts {
		t.Errorf("got capabilities %+v", r.Catalogue.Capabilities)
	}
	answersAsItShould(t, h, spec, r.Catalogue)
}

func answersAsItShould(t *testing.T, h *house, spec Spec, cat *Catalogue) {
	t.Helper()
	i := slices.IndexFunc(cat.Tools, func(t Tool) bool { return t.Name == "echo" })
	if i < 0 || cat.Tools[i].Invalid != "" || cat.Tools[i].Annotations.ReadOnly == nil {
		t.Fatalf("got %+v", cat.Tools)
	}
	res, err := h.pool.Call(t.Context(), spec.Key, "echo", json.RawMessage(`{"message":"hello there"}`))
	if err != nil || res.IsError || !strings.Contains(string(res.Content), "hello there") {
		t.Errorf("got %+v %v", res, err)
	}
	res, err = h.pool.Call(t.Context(), spec.Key, "no-such-tool", nil)
	if err == nil && !res.IsError {
		t.Errorf("a tool that is not there answered %s", res.Raw)
	}
	if again, err := h.pool.Check(t.Context(), spec.Key); err != nil || again.Digest != cat.Digest {
		t.Errorf("checked: %v", err)
	}
}

// Through npx there are three processes; killing any or all of them is
// noticed, none of the others stays, and the server comes back.
func TestRealServerThroughItsRunner(t *testing.T) {
	t.Parallel()
	everything(t)
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	h := newHouse(t, SystemClock())
	spec := realServer("npx", "--offline", "mcp-server-everything", "stdio")
	spec.Dir = dir
	h.pool.Apply([]Spec{spec})
	h.running(spec.Name)
	for _, who := range []string{"the whole group", "the launcher", "the leaf"} {
		first := h.pool.Reports()[0]
		victim, before := first.PID, h.marked(3)
		switch who {
		case "the whole group":
			victim = -first.PID
		case "the leaf":
			leaf := childrenOf(childrenOf([]int{first.PID}))
			if len(leaf) != 1 {
				t.Fatalf("got leaves %v of %d", leaf, first.PID)
			}
			victim = leaf[0]
		}
		at := h.now()
		if err := syscall.Kill(victim, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		h.until(at, spec.Name, isFailed)
		h.pool.Apply([]Spec{spec}) // whoever is down is tried at once
		h.until(at, spec.Name, isRunning)
		h.replaced(before, 3)
	}
	h.pool.Apply(nil)
	h.until(0, spec.Name, func(r Report) bool { return r.State == Stopped })
	h.nothingLeft()
	if !strings.Contains(lines(h.all()), string(Fetching)) {
		t.Error("npx had no fetching phase")
	}
}
