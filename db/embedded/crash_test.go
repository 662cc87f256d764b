package embedded

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// gone tells whether a process has ended: a zombie has.
func gone(pid int) bool {
	return state(pid) == "" || state(pid) == "Z"
}

// stopped tells whether every thread of a process stands still: one that still
// runs could reap its child.
func stopped(t *testing.T, pid int) bool {
	t.Helper()
	threads, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/stat")
	must(t, err)
	return len(threads) > 0 && !slices.ContainsFunc(threads, func(file string) bool { return letter(file) != "T" })
}

// state is the letter of a process's state; empty where there is no process.
func state(pid int) string { return letter("/proc/" + strconv.Itoa(pid) + "/stat") }

func letter(file string) string {
	stat, _ := os.ReadFile(file)
	_, after, _ := strings.Cut(string(stat), ") ")
	state, _, _ := strings.Cut(after, " ")
	return state
}

func TestAKilledProgramTakesItsServerAlong(t *testing.T) {
	t.Parallel()
	for name, uid := range users() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := seeded(t, uid)
			first, _ := launch(t, dir, uid)
			remember(t, first.url)
			server := postmaster(t, dir)
			first.kill(t)
			second, said := launch(t, dir, uid) // at once: it waits for what still shuts down
			if !strings.HasPrefix(said, "ready") {
				t.Fatal(said)
			}
			remembered(t, second.url)
			if !gone(server) {
				t.Errorf("the first server, process %d, is still there", server)
			}
		})
	}
}

func TestProgramAndServerKilled(t *testing.T) {
	t.Parallel()
	for name, uid := range users() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := seeded(t, uid)
			first, _ := launch(t, dir, uid)
			remember(t, first.url)
			server := postmaster(t, dir)
			must(t, first.cmd.Process.Signal(syscall.SIGSTOP)) // so that it starts no other
			eventually(t, "the program stands still", func() bool { return stopped(t, first.cmd.Process.Pid) })
			must(t, syscall.Kill(server, syscall.SIGKILL))
			first.kill(t)
			eventually(t, "the server became our zombie", func() bool { return gone(server) })
			second, said := launch(t, dir, uid)
			if !strings.HasPrefix(said, "ready") {
				t.Fatal(said)
			}
			remembered(t, second.url)
			_, err := unix.Wait4(server, nil, unix.WNOHANG, nil)
			must(t, err) // it was one all the time
		})
	}
}

func TestAServerThatDiesAloneIsStartedAgain(t *testing.T) {
	t.Parallel()
	dir := seeded(t, -1)
	s := begin(t, dir, true)
	remember(t, s.URL())
	first := postmaster(t, dir)
	must(t, syscall.Kill(first, syscall.SIGKILL))
	eventually(t, "it answers again", func() bool { return answers(t.Context(), s.sock) == nil && postmaster(t, dir) != first })
	remembered(t, s.URL())
}

func TestAnOrphanBackendIsWaitedFor(t *testing.T) {
	t.Parallel()
	dir := seeded(t, -1)
	s := begin(t, dir, true)
	remember(t, s.URL())
	backend := make(chan int, 1)
	go busy(s.URL(), backend)
	orphan := <-backend
	must(t, syscall.Kill(orphan, syscall.SIGSTOP))
	must(t, syscall.Kill(postmaster(t, dir), syscall.SIGKILL))
	eventually(t, "the next server complains of the orphan", func() bool {
		log, err := os.ReadFile(filepath.Join(dir, "log"))
		return err == nil && strings.Contains(string(log), "pre-existing shared memory block")
	})
	must(t, syscall.Kill(orphan, syscall.SIGKILL))
	eventually(t, "it answers again", func() bool { return answers(t.Context(), s.sock) == nil })
	remembered(t, s.URL())
}

func TestAKillDuringInitdbLeavesNoHalfCluster(t *testing.T) {
	t.Parallel()
	dir := killedDuringInitdb(t)
	for i := 0; whole(dir) && i < 20; i++ { // initdb was quicker than the kill
		dir = killedDuringInitdb(t)
	}
	if whole(dir) {
		t.Fatal("there always is a data folder already")
	}
	s := begin(t, dir, true)
	remember(t, s.URL())
	if left, _ := filepath.Glob(filepath.Join(dir, "initdb-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func whole(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "data"))
	return err == nil
}

func killedDuringInitdb(t *testing.T) (dir string) {
	t.Helper()
	dir = folder(t, -1)
	cmd := silently(t, dir)
	eventually(t, "initdb is at work", func() bool {
		found, _ := filepath.Glob(filepath.Join(dir, "initdb-*", "PG_VERSION"))
		return len(found) == 1 || whole(dir)
	})
	must(t, cmd.Process.Kill())
	_ = cmd.Wait() // says that it was killed
	return dir
}
