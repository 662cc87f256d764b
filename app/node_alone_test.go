package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"crewlet/db/dbtest"
	"crewlet/mcp/client"
)

// A program with a copy of a serving node's data folder, be it on the same
// database or on another, says what to do and ends nothing of the first; with
// an id of its own it serves beside it.
func TestACopiedDataFolder(t *testing.T) {
	t.Parallel()
	first := serving(t)
	var data string
	for _, e := range first.environ {
		if dir, ok := strings.CutPrefix(e, "CREWLET_DATA="); ok {
			data = dir
		}
	}
	id, err := os.ReadFile(filepath.Join(data, "node"))
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command("sleep", "600")
	child.Env = []string{client.MarkName + "=" + strings.TrimSpace(string(id)) + ".start.1"}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = child.Process.Kill()
		_ = child.Wait()
	})
	copied := t.TempDir()
	file := filepath.Join(copied, "node")
	if err := os.WriteFile(file, id, 0o600); err != nil {
		t.Fatal(err)
	}
	address := free(t)
	second := &site{url: "http://" + address, out: &said{}, log: &said{}}
	second.environ = append(append([]string{}, first.environ...), "CREWLET_LISTEN="+address, "CREWLET_DATA="+copied)
	for where, environ := range map[string][]string{"the same database": nil, "another database": {"CREWLET_DATABASE_URL=" + dbtest.URL(t)}} {
		cmd := exec.Command(os.Args[0], "serve")
		cmd.Env = append(append([]string{}, second.environ...), environ...)
		text, err := cmd.CombinedOutput()
		if err == nil {
			t.Fatalf("%s: it serves: %s", where, text)
		}
		for _, want := range []string{fmt.Sprintf("another program serves as this node on this machine, process %d.", os.Getpid()), "remove " + file} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s: it says %s, want %q in it", where, text, want)
			}
		}
		if err := child.Process.Signal(syscall.Signal(0)); err != nil {
			t.Errorf("%s: a child of the first is gone: %v", where, err)
		}
		if left, err := client.Marked(strings.TrimSpace(string(id)) + ".start."); err != nil || len(left) != 1 {
			t.Errorf("%s: children of the first: %v %v", where, left, err)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	second.start(t)
}
