package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// watching keeps all that a server's row ever said.
const watching = `window.said = {};
new MutationObserver(() => {
	for (const row of document.querySelectorAll("tr[id^=server-]")) (window.said[row.id] ??= new Set()).add(row.innerText);
}).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })`

// serversKilled kills what runs of a server, at each place there is: its row
// says so in every browser, and it is back within seconds.
func serversKilled(t *testing.T, b *browser) {
	s := serving(t)
	ana := b.person(t, s.url)
	s.setUp(ana)
	other := b.person(t, s.url)
	other.signIn()
	looks := []*tab{ana, other}
	for _, x := range looks {
		x.open("/settings/tools")
	}
	known := []int{}
	for _, c := range []struct {
		name   string
		target func(*testing.T, []int) int
	}{
		{"leaf", leaf},
		{"launcher", launcher},
		{"group", func(t *testing.T, family []int) int { return -launcher(t, family) }},
	} {
		s.must(t, "", "mcp", "add", c.name, "--", "npx", "-y", "@modelcontextprotocol/server-everything")
		for _, x := range looks {
			x.says(c.name, "Running")
			x.eval(watching)
		}
		family := slices.DeleteFunc(s.children(t), func(pid int) bool { return slices.Contains(known, pid) })
		if err := syscall.Kill(c.target(t, family), syscall.SIGKILL); err != nil {
			t.Fatalf("kill the %s: %v", c.name, err)
		}
		for _, x := range looks {
			x.within(starting, "the row says that it ended, and runs again", fmt.Sprintf(
				`[...window.said["server-%s"] ?? []].some((text) => !text.includes("Running")) && %s.includes("Running")`, c.name, row(c.name)))
		}
		if now := s.children(t); overlap(family, now) {
			t.Errorf("%s: of %v there are left among %v", c.name, family, now)
		}
		known = s.children(t)
	}
	s.killedAgain(t, looks)
}

// killedAgain: a second death within minutes is told with its cause and the
// time of the next try; a press starts it at once.
func (s *site) killedAgain(t *testing.T, looks []*tab) {
	t.Helper()
	for _, pid := range s.children(t) {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && err != syscall.ESRCH {
			t.Fatal(err)
		}
	}
	for _, x := range looks {
		x.says("group", "Failing")
		x.says("group", "Next try")
	}
	looks[0].shot("failing")
	looks[0].accessible()
	acting := looks[0].beside()
	acting.open("/settings/tools/servers/group")
	acting.reads("killed")
	acting.press(`form[action$="/restart"] button`)
	for _, x := range looks {
		x.says("group", "Running")
	}
}

// parent is the process that started another.
func parent(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), ") ")
	ppid, err := strconv.Atoi(strings.Fields(after)[1])
	if err != nil {
		t.Fatal(err)
	}
	return ppid
}

// launcher is the one of a family that none of it started.
func launcher(t *testing.T, family []int) int {
	t.Helper()
	for _, pid := range family {
		if !slices.Contains(family, parent(t, pid)) {
			return pid
		}
	}
	t.Fatalf("nobody leads %v", family)
	return 0
}

// leaf is the one that started nobody: the server itself.
func leaf(t *testing.T, family []int) int {
	t.Helper()
	for _, pid := range family {
		if !slices.ContainsFunc(family, func(other int) bool { return parent(t, other) == pid }) {
			return pid
		}
	}
	t.Fatalf("everybody of %v leads somebody", family)
	return 0
}
