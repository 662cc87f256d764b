package client

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// escapes are ways in which a server starts something that is to outlive it.
// $N stands for the number of the sleeper.
var escapes = map[string]string{
	"an empty environment and a session": `env -i setsid sleep $N & `,
	"an orphan from the beginning":       `env -i setsid sh -c 'sleep '$N' & sleep 0' & `,
	"an orphan's orphan":                 `(env -i setsid sh -c '(setsid sleep '$N' &) &' &) & `,
	"a group in the same session":        `env -i PATH="$PATH" bash -c 'set -m; sleep '$N' &' & `,
}

// escaping is a server that does so and then serves.
func escaping(escape, number string) Spec {
	spec := fault("escaping")
	spec.Env = WithEnv(spec.Env, map[string]string{"N": number})
	spec.Command, spec.Args = "/bin/sh", []string{"-c", escape + `exec "$1" server rich`, "sh", os.Args[0]}
	return spec
}

// sleeper is a number no other process of the machine sleeps for.
func sleeper() string { return fmt.Sprintf("9%d%03d", os.Getpid(), houses.Add(1)) }

// asleep is the process that sleeps for it, found by nothing but its command
// line; 0 for none.
func asleep(number string) int {
	dirs, _ := os.ReadDir("/proc")
	for _, d := range dirs {
		pid, err := strconv.Atoi(d.Name())
		if err != nil {
			continue
		}
		line, err := os.ReadFile(procFile(pid, "cmdline"))
		if err == nil && bytes.Equal(line, []byte("sleep\x00"+number+"\x00")) {
			return pid
		}
	}
	return 0
}

func stopsRunning(r Report) bool { return r.State == Stopped }

// Without its mark, its group and its session, too, a server's child ends
// with it.
func TestNothingEscapesTheEndOfItsServer(t *testing.T) {
	t.Parallel()
	for name, escape := range escapes {
		for end, by := range map[string]func(*house, Spec, Report){
			"removed": func(h *house, spec Spec, _ Report) {
				h.pool.Apply(nil)
				h.until(0, spec.Name, stopsRunning)
			},
			"killed": func(h *house, spec Spec, r Report) {
				at := h.now()
				if err := syscall.Kill(r.PID, syscall.SIGKILL); err != nil {
					h.t.Fatal(err)
				}
				h.until(at, spec.Name, isFailed)
				h.pool.Apply(nil)
				h.until(at, spec.Name, stopsRunning)
			},
		} {
			t.Run(name+", "+end, func(t *testing.T) {
				t.Parallel()
				h, number := newHouse(t, SystemClock()), sleeper()
				spec := escaping(escape, number)
				h.pool.Apply([]Spec{spec})
				r := h.running(spec.Name)
				eventually(t, "it sleeps", func() bool { return asleep(number) > 0 })
				by(h, spec, r)
				if pid := asleep(number); pid > 0 {
					t.Errorf("%d sleeps on", pid)
					_ = syscall.Kill(pid, syscall.SIGKILL)
				}
			})
		}
	}
}

// A program that its file elevates is not held at its start, and tagged all
// the same.
func TestElevatedProgramsAreTagged(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	text, err := os.ReadFile("/bin/sh")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "sh")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o755|os.ModeSetuid); err != nil || !elevates(file) || elevates("/bin/sh") {
		t.Fatalf("elevates: %v, %v %v", err, elevates(file), elevates("/bin/sh"))
	}
	spec := fault("rich")
	spec.Command, spec.Args = file, []string{"-c", `exec "$0" server rich`, os.Args[0]}
	h.pool.Apply([]Spec{spec})
	r := h.running(spec.Name)
	if tag, ok := tagOn(r.PID); !ok || !stands(tag, h.mark+".") || stands(tag, h.mark+"0.") {
		t.Errorf("got tag %+v %v", tag, ok)
	}
}

// However the program ends.
func TestNothingEscapesTheEndOfTheProgram(t *testing.T) {
	t.Parallel()
	for name, sig := range map[string]syscall.Signal{"kill -9": syscall.SIGKILL, "TERM": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			number := sleeper()
			leader, _ := engine(t, fmt.Sprintf("%s%d", testMark(), houses.Add(1)), number)
			eventually(t, "it sleeps", func() bool { return asleep(number) > 0 })
			if err := leader.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			_ = leader.Wait() // it was killed
			eventually(t, "it is ended", func() bool { return asleep(number) == 0 })
		})
	}
}

// A start that lost its guard too is swept up after by the next one.
func TestSweepFindsWhatShedItsMark(t *testing.T) {
	t.Parallel()
	node, number := fmt.Sprintf("%s%d", testMark(), houses.Add(1)), sleeper()
	leader, guard := engine(t, node+".1", number)
	eventually(t, "it sleeps", func() bool { return asleep(number) > 0 })
	for _, pid := range []int{guard, leader.Process.Pid} {
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Sweep(t.Context(), node+"0."); err != nil || asleep(number) == 0 {
		t.Errorf("another node's sweep ended it: %v", err)
	}
	if _, err := Sweep(t.Context(), node+"."); err != nil || asleep(number) != 0 {
		t.Errorf("it sleeps on: %v", err)
	}
	for _, pid := range []int{guard, leader.Process.Pid} {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	_ = leader.Wait() // it was killed
}
