package client

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// runEngine is a program that runs children under a mark, says when they are
// up, and waits for whatever end comes.
// It runs, too, a server whose child sheds every sign, if given its number.
func runEngine(mark string, escapee ...string) {
	spawner, err := NewSpawner(SpawnerOptions{Mark: mark, Guard: []string{os.Args[0], "guard", mark}})
	if err != nil {
		panic(err)
	}
	up := make(chan string, 100)
	pool := NewPool(Options{Spawner: spawner, OnReport: func(r Report) {
		if isRunning(r) {
			up <- r.Name
		}
	}})
	specs := []Spec{fault("grandchild"), fault("setsid-grandchild"), fault("stubborn")}
	for _, number := range escapee {
		specs = append(specs, escaping(escapes["an empty environment and a session"], number))
	}
	pool.Apply(specs)
	for range specs {
		<-up
	}
	fmt.Println("guard", spawner.guard.pid)
	forever()
}

// engine starts runEngine and waits until its children are up.
func engine(t *testing.T, mark string, escapee ...string) (leader *exec.Cmd, guard int) {
	t.Helper()
	c := exec.Command(os.Args[0], append([]string{"engine", mark}, escapee...)...)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the engine does not come up: %v", err)
	}
	guard, err = strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(line, "guard ")))
	if err != nil {
		t.Fatal(err)
	}
	return c, guard
}

// However the program ends, what it started ends with it.
func TestNothingOutlivesTheProgram(t *testing.T) {
	t.Parallel()
	for name, kill := range map[string]func(pid int) error{
		"kill -9 of the program":    func(pid int) error { return syscall.Kill(pid, syscall.SIGKILL) },
		"kill -9 of its group":      func(pid int) error { return syscall.Kill(-pid, syscall.SIGKILL) },
		"a program that is stopped": func(pid int) error { return syscall.Kill(pid, syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mark := fmt.Sprintf("%s%d", testMark(), houses.Add(1))
			leader, guard := engine(t, mark)
			if pids, err := Marked(mark + "."); err != nil || len(pids) != 5 {
				t.Fatalf("got children %v %v, want five", pids, err)
			}
			if err := kill(leader.Process.Pid); err != nil {
				t.Fatal(err)
			}
			_ = leader.Wait() // it was killed
			eventually(t, "no child is left", func() bool {
				pids, err := Marked(mark + ".")
				return err == nil && len(pids) == 0
			})
			eventually(t, "the guard has ended", func() bool {
				s, there := readStat(guard)
				return !there || s.state == 'Z'
			})
		})
	}
}

// Without a guard too, the next start finds what is left by its mark.
func TestSweepEndsWhatAnEarlierStartLeft(t *testing.T) {
	t.Parallel()
	node := fmt.Sprintf("%s%d", testMark(), houses.Add(1))
	leader, guard := engine(t, node+".1")
	for _, pid := range []int{guard, leader.Process.Pid} {
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
	}
	n, err := Sweep(t.Context(), node+".")
	if err != nil || n != 5 {
		t.Errorf("swept %d %v, want five", n, err)
	}
	for _, pid := range []int{guard, leader.Process.Pid} {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	_ = leader.Wait() // it was killed
	for _, everybody := range []string{"", "."} {
		if _, err := Sweep(context.Background(), everybody); err == nil {
			t.Errorf("a sweep of %q went well", everybody)
		}
	}
}

func TestGuardThatIsKilledIsReplaced(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	g := h.spawner.guard
	pid := func() int {
		g.mu.Lock()
		defer g.mu.Unlock()
		return g.pid
	}
	first := pid()
	if err := syscall.Kill(first, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, "there is another guard", func() bool { return pid() != first })
}

// However often it is killed, there is another, and it is said each time.
func TestGuardThatIsKilledAgainAndAgain(t *testing.T) {
	t.Parallel()
	mark, log := fmt.Sprintf("%s%d", testMark(), houses.Add(1)), &lockedBuffer{}
	s, err := NewSpawner(SpawnerOptions{
		Mark: mark, Guard: []string{os.Args[0], "guard", mark}, Clock: fast{1000}, Log: slog.New(slog.NewJSONHandler(log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	pid := func() int {
		s.guard.mu.Lock()
		defer s.guard.mu.Unlock()
		return s.guard.pid
	}
	for range 8 {
		last := pid()
		if err := syscall.Kill(last, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		eventually(t, "there is another guard", func() bool { return pid() != last })
	}
	s.words.flush(patience)
	if n := strings.Count(log.String(), `"msg":"guard_lost"`); n != 8 {
		t.Errorf("it was said %d times: %s", n, log.String())
	}
}

func TestSpawnerRefusesBadMarksAndGuards(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]SpawnerOptions{
		"no mark":       {},
		"a NUL":         {Mark: "a\x00b"},
		"no such guard": {Mark: testMark() + "x", Guard: []string{"/no/such/guard"}},
	} {
		if s, err := NewSpawner(o); err == nil {
			s.Close()
			t.Errorf("%s: it went well", name)
		}
	}
}

// A daemon that a child left behind and that has died is buried too.
func TestDeadOrphansAreBuried(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	spec := fault("rich")
	spec.Command, spec.Args = "/bin/sh", []string{"-c", `setsid sh -c 'exit 0' & exec "$1" server rich`, "sh", os.Args[0]}
	h.pool.Apply([]Spec{spec})
	server := h.running(spec.Name).PID
	// This one alone is looked at: of the program's other dead, some belong to
	// tests that run at the same time.
	var dead []int
	eventually(t, "the daemon has died", func() bool {
		dead = childrenOfAll(server)
		if len(dead) != 1 {
			return false
		}
		s, ok := readStat(dead[0])
		return ok && s.state == 'Z'
	})
	h.pool.Apply(nil)
	h.until(0, spec.Name, func(r Report) bool { return r.State == Stopped })
	if s, ok := readStat(dead[0]); ok && s.parent == os.Getpid() {
		t.Errorf("%d is dead and unburied", dead[0])
	}
}

// childrenOfAll lists children, the dead ones too.
func childrenOfAll(parent int) []int {
	var pids []int
	dirs, _ := os.ReadDir("/proc")
	for _, d := range dirs {
		pid, err := strconv.Atoi(d.Name())
		if s, ok := readStat(pid); err == nil && ok && s.parent == parent {
			pids = append(pids, pid)
		}
	}
	return pids
}
