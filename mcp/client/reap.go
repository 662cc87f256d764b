package client

import (
	"errors"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// waitPID reaps one child of ours and returns how it ended.
func waitPID(pid int) syscall.WaitStatus {
	var status syscall.WaitStatus
	for {
		if _, err := syscall.Wait4(pid, &status, 0, nil); !errors.Is(err, syscall.EINTR) {
			return status
		}
	}
}

// awaitDeath returns when the process has ended and leaves it unreaped, so
// that its number, which is also its group's, cannot pass to a stranger yet.
func awaitDeath(pid int) {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// reapGroup waits for every child in the group and returns how its leader
// ended. ECHILD is the proof that the group is empty: as the subreaper we
// inherit those whose parents are gone.
func reapGroup(group int) (leader syscall.WaitStatus) {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-group, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return leader
		case pid == group:
			leader = status
		}
	}
}

// reapMarked ends and reaps what left the group by setsid or setpgid: all
// that carries this one child's mark or tag.
func reapMarked(mark string) {
	seen := map[int]bool{}
	// One that is just being forked shows a moment later, so one look that
	// finds nothing is not enough.
	for clean := 0; ; {
		pids, err := Marked(mark)
		if err != nil {
			return
		}
		for _, pid := range pids {
			// The mark of child 1 is also the beginning of child 10's.
			if exactly(pid, mark) {
				killMarked(pid, mark)
				seen[pid] = true
			}
		}
		for pid := range seen {
			if reaped(pid) {
				delete(seen, pid)
			}
		}
		if clean++; len(seen) > 0 {
			clean = 0
		}
		if clean == 2 {
			return
		}
		time.Sleep(scanPause)
	}
}

func exactly(pid int, mark string) bool {
	if env, err := os.ReadFile(procFile(pid, "environ")); err == nil && lookupMark(env) == mark {
		return true
	}
	tag, ok := tagOn(pid)
	want, known := tagOf(mark)
	return ok && known && tag == want
}

// reaped reports whether nothing is left of a killed process: reaped here, or
// by a parent that is still there. While that parent is dying it is neither.
func reaped(pid int) bool {
	got, err := syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
	if err == nil {
		return got == pid
	}
	_, there := readStat(pid)
	return !there
}

// reapOrphans buries the dead that nobody waits for: zombies we inherited
// from a child's daemon. Whatever this program itself started is in its own
// session and has its own waiter, so it is left alone.
func reapOrphans() {
	own, ok := readStat(os.Getpid())
	dirs, err := os.ReadDir("/proc")
	if !ok || err != nil {
		return
	}
	for _, d := range dirs {
		pid, err := strconv.Atoi(d.Name())
		if err != nil {
			continue
		}
		if s, ok := readStat(pid); ok && s.state == 'Z' && s.parent == os.Getpid() && s.session != own.session {
			_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		}
	}
}
