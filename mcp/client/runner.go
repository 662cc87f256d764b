package client

import (
	"os"
	"path"
	"slices"
	"strconv"
)

// A package runner first downloads and then runs the server below itself. How
// far below says when the download is over: `npm exec` runs a shell that runs
// the server; others run it directly; a container's server is no process of
// ours at all, and one that replaces its runner cannot be told from it.
const (
	noRunner = iota
	seenAsChild
	seenAsGrandchild
	neverSeen
)

// runners tells, by program and first argument ("" for any), how a server
// that it runs shows itself.
var runners = map[string]map[string]int{
	"npx":     {"": seenAsGrandchild},
	"npm":     {"exec": seenAsGrandchild, "x": seenAsGrandchild},
	"pnpm":    {"dlx": seenAsChild},
	"yarn":    {"dlx": seenAsChild},
	"pnpx":    {"": seenAsChild},
	"bunx":    {"": seenAsChild},
	"bun":     {"x": seenAsChild},
	"uvx":     {"": seenAsChild},
	"uv":      {"run": seenAsChild, "tool": seenAsChild},
	"pipx":    {"run": neverSeen},
	"docker":  {"run": neverSeen},
	"podman":  {"run": neverSeen},
	"nerdctl": {"run": neverSeen},
}

// runnerKind tells what a command line runs by.
func runnerKind(command string, args []string) int {
	tool := runners[path.Base(command)]
	if kind, ok := tool[""]; ok {
		return kind
	}
	if len(args) == 0 {
		return noRunner
	}
	return tool[args[0]]
}

// runs reports whether the runner has a living descendant that deep.
func runs(runner, kind int) bool {
	if kind != seenAsChild && kind != seenAsGrandchild {
		return false
	}
	generation := []int{runner}
	for range kind {
		generation = childrenOf(generation)
	}
	return len(generation) > 0
}

// childrenOf lists the living children of any of the processes.
func childrenOf(parents []int) []int {
	dirs, err := os.ReadDir("/proc")
	if err != nil || len(parents) == 0 {
		return nil
	}
	var pids []int
	for _, d := range dirs {
		pid, err := strconv.Atoi(d.Name())
		if err != nil {
			continue
		}
		if s, ok := readStat(pid); ok && s.state != 'Z' && slices.Contains(parents, s.parent) {
			pids = append(pids, pid)
		}
	}
	return pids
}
