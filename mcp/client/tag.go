package client

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// A child that starts another with an empty environment (`env -i`) in a
// session of its own takes its mark away. So the mark is also written, hashed,
// where neither reaches: into a limit that every process inherits over fork
// and exec and that no kernel since Linux 2.6 looks at, RLIMIT_LOCKS. Its hard
// value is the node, its soft value the start and the child's number. Only a
// privileged process could raise it again.
const (
	tagged     = 1 << 62 // of a hard value: far over what anybody sets, far under "unlimited"
	childBits  = 24
	childLimit = 1<<childBits - 1
)

// nodeTag is the hard value of a node's children.
func nodeTag(node string) uint64 { return tagged | hash(node)>>2 }

// startTag is the upper part of the soft value.
func startTag(start string) uint64 { return hash(start) >> 32 }

func hash(text string) uint64 {
	sum := sha256.Sum256([]byte(text))
	return binary.BigEndian.Uint64(sum[:])
}

// tagOf is the limit that stands for the mark of one child,
// `<node>.<start>.<number>`.
func tagOf(mark string) (tag unix.Rlimit, ok bool) {
	parent, number, _ := cutLast(mark)
	node, start, ok := cutLast(parent)
	n, err := strconv.ParseUint(number, 10, 64)
	return unix.Rlimit{Max: nodeTag(node), Cur: startTag(start)<<childBits | n&childLimit}, ok && err == nil
}

func cutLast(mark string) (before, last string, found bool) {
	i := strings.LastIndexByte(mark, '.')
	if i < 0 {
		return "", mark, false
	}
	return mark[:i], mark[i+1:], true
}

// tagOn reads a living process's tag.
func tagOn(pid int) (tag unix.Rlimit, ok bool) {
	err := unix.Prlimit(pid, unix.RLIMIT_LOCKS, nil, &tag)
	if err != nil || tag.Max>>62 != 1 {
		return tag, false // another user's, or nobody's of ours
	}
	s, there := readStat(pid)
	return tag, there && s.state != 'Z' && s.state != 'X'
}

// stands reports whether a tag stands for a mark that is, or begins with,
// prefix: that of a child, of a start or of a node.
func stands(tag unix.Rlimit, prefix string) bool {
	name := strings.TrimSuffix(prefix, ".")
	if tag.Max == nodeTag(name) {
		return true
	}
	node, start, ok := cutLast(name)
	if ok && tag.Max == nodeTag(node) && tag.Cur>>childBits == startTag(start) {
		return true
	}
	child, ok := tagOf(name)
	return ok && tag == child
}

// cldTrapped is the si_code of a traced child that has stopped.
const cldTrapped = 4

// startTagged starts a program with the tag of a mark. So that it can start
// nothing before it has the tag, it is held at its first instruction, as a
// debugger would; where that is not allowed, it is tagged a moment later.
// Everything here is done on the spawner's thread: only the thread that
// started a traced program may let it go. untagged says why a program that
// was started has no tag.
func startTagged(file string, argv []string, attr *syscall.ProcAttr, mark string) (pid int, untagged, err error) {
	if elevates(file) {
		pid, err = syscall.ForkExec(file, argv, attr) // a traced one would not be elevated
	} else {
		attr.Sys.Ptrace = true
		pid, err = syscall.ForkExec(file, argv, attr)
		if err == nil {
			return pid, hold(pid, mark), nil
		}
		attr.Sys.Ptrace = false
		if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSYS) {
			pid, err = syscall.ForkExec(file, argv, attr)
		}
	}
	if err != nil {
		return 0, nil, err
	}
	return pid, tagTree(pid, mark), nil
}

// hold tags a traced program at its start and lets it go. How it ended, should
// it have, is left for whoever waits for it.
func hold(pid int, mark string) error {
	for {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, pid, &info, unix.WSTOPPED|unix.WEXITED|unix.WNOWAIT, nil)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || info.Code != cldTrapped {
			return err // it was killed at once
		}
		break
	}
	untagged := tagTree(pid, mark)
	if err := unix.PtraceDetach(pid); err != nil && !errors.Is(err, unix.ESRCH) {
		return fmt.Errorf("let it go: %w", err)
	}
	return untagged
}

// elevates reports whether a program gets privileges from its file.
func elevates(file string) bool {
	info, err := os.Stat(file)
	if err == nil && info.Mode()&(os.ModeSetuid|os.ModeSetgid) != 0 {
		return true
	}
	n, err := unix.Getxattr(file, "security.capability", nil)
	return err == nil && n > 0
}

// tagTree writes the tag of a mark on a child, and on what it has started
// already: whatever comes later inherits it.
func tagTree(pid int, mark string) error {
	tag, ok := tagOf(mark)
	if !ok {
		return nil // a mark of another shape has no tag
	}
	if err := unix.Prlimit(pid, unix.RLIMIT_LOCKS, &tag, nil); err != nil {
		return err
	}
	for known := map[int]bool{pid: true}; ; {
		var parents []int
		for p := range known {
			parents = append(parents, p)
		}
		fresh := false
		for _, p := range childrenOf(parents) {
			if known[p] {
				continue
			}
			known[p], fresh = true, true
			_ = unix.Prlimit(p, unix.RLIMIT_LOCKS, &tag, nil) // it may have ended
		}
		if !fresh {
			return nil
		}
	}
}
