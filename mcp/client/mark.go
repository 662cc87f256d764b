package client

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// MarkName is the variable that every child carries in its environment. Its
// value begins with the mark of the engine that started it, `<node>.<start>`,
// followed by a dot and the child's number. Whatever a child starts inherits
// it, in whatever group or session; what is started without it still has its
// tag (see tag.go), so nothing of ours can hide.
const MarkName = "CREWLET_CHILD"

// scanPause is how long a sweep waits before it looks again for what it has
// killed: long enough for the kernel, too short to notice.
const scanPause = 5 * time.Millisecond

// Marked lists the living processes of the whole machine whose mark is, or
// begins with, prefix. Those of other users cannot be read and are not listed.
func Marked(prefix string) ([]int, error) {
	dirs, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var pids []int
	for _, d := range dirs {
		pid, err := strconv.Atoi(d.Name())
		if err == nil && pid != os.Getpid() && carries(pid, prefix) {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

// carries reports whether the process has a mark with this prefix, or the tag
// of one. A zombie's environment reads as empty: it is no longer a process
// that does anything.
func carries(pid int, prefix string) bool {
	if env, err := os.ReadFile(procFile(pid, "environ")); err == nil {
		if mark := lookupMark(env); mark != "" && strings.HasPrefix(mark, prefix) {
			return true
		}
	}
	tag, ok := tagOn(pid)
	return ok && stands(tag, prefix)
}

// lookupMark is the mark in the text of /proc/<pid>/environ, or "".
func lookupMark(environ []byte) string {
	for entry := range bytes.SplitSeq(environ, []byte{0}) {
		if value, ok := bytes.CutPrefix(entry, []byte(MarkName+"=")); ok {
			return string(value)
		}
	}
	return ""
}

// killMarked ends one process, provided that it still carries the mark once
// it is held by a descriptor: a number alone may have passed to a stranger.
func killMarked(pid int, prefix string) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return // gone
	}
	defer func() { _ = unix.Close(fd) }()
	if carries(pid, prefix) {
		_ = unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) // already gone is as good
	}
}

// Sweep ends every process whose mark begins with prefix and returns how many
// it ended once none is left. A node calls it before it starts anything, with
// its own id and a dot, for what an earlier start may have left behind.
func Sweep(ctx context.Context, prefix string) (int, error) {
	if strings.Trim(prefix, ".") == "" {
		return 0, fmt.Errorf("sweep: the mark %q would match everybody's processes", prefix)
	}
	ended := map[int]bool{}
	for {
		pids, err := Marked(prefix)
		if err != nil || len(pids) == 0 {
			return len(ended), err
		}
		for _, pid := range pids {
			killMarked(pid, prefix)
			ended[pid] = true
		}
		select {
		case <-ctx.Done():
			return len(ended), fmt.Errorf("sweep %s: %d processes do not end: %w", prefix, len(pids), ctx.Err())
		case <-time.After(scanPause):
		}
	}
}

// stat holds the fields of /proc/<pid>/stat that we read.
type stat struct {
	state                  byte
	parent, group, session int
}

// readStat reads a process's state, parent, group and session.
func readStat(pid int) (stat, bool) {
	text, err := os.ReadFile(procFile(pid, "stat"))
	if err != nil {
		return stat{}, false
	}
	// The command's name is in parentheses and may hold anything.
	_, rest, ok := strings.Cut(string(text[bytes.LastIndexByte(text, ')')+1:]), " ")
	f := strings.Fields(rest)
	if !ok || len(f) < 4 || f[0] == "" {
		return stat{}, false
	}
	parent, _ := strconv.Atoi(f[1])
	group, _ := strconv.Atoi(f[2])
	session, _ := strconv.Atoi(f[3])
	return stat{f[0][0], parent, group, session}, true
}

func procFile(pid int, name string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), name)
}
