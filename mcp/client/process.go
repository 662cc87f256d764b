package client

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
)

// process is one child with everything it started. It is reaped whole: exited
// is closed when no process of its group and none with its mark is left.
type process struct {
	pid    int
	mark   string
	stdin  *os.File // we write
	stdout *os.File // we read
	stderr *os.File // we read

	dead   chan struct{} // closed at the leader's end, before anything is reaped
	exited chan struct{}
	status syscall.WaitStatus // of the leader, once exited

	mu   sync.Mutex
	gone bool // the leader is dead: its group's number is no longer ours to signal
}

// spawn starts the command of a spec in a group of its own, with the spec's
// environment and a mark, and begins to wait for its end.
func (s *Spawner) spawn(spec Spec) (*process, error) {
	file, err := findCommand(spec)
	if err != nil {
		return nil, err
	}
	p := &process{mark: s.nextMark(), dead: make(chan struct{}), exited: make(chan struct{})}
	child, err := p.pipes()
	if err != nil {
		return nil, fmt.Errorf("open pipes for %s: %w", spec.Name, err)
	}
	attr := &syscall.ProcAttr{
		Dir:   spec.Dir,
		Env:   append(withoutMark(spec.Env), MarkName+"="+p.mark),
		Files: []uintptr{uintptr(child[0]), uintptr(child[1]), uintptr(child[2])},
		Sys:   &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
	}
	var untagged error
	p.pid, err = s.start(func() (pid int, err error) {
		pid, untagged, err = startTagged(file, append([]string{spec.Command}, spec.Args...), attr, p.mark)
		return pid, err
	})
	for _, fd := range child {
		_ = syscall.Close(fd)
	}
	if err != nil {
		p.closePipes()
		return nil, startError(spec, err)
	}
	if untagged != nil {
		s.log.Warn("server_not_tagged", "server", spec.Name, "error", untagged.Error(),
			"cause", "what it starts without its environment could outlive it")
	}
	go p.bury()
	return p, nil
}

// startError says in words what the kernel says in numbers.
func startError(spec Spec, err error) error {
	switch {
	case errors.Is(err, errSpawnerClosed):
		return err
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("cannot run %s: it is neither a program nor a script with a #! line", spec.Command)
	case errors.Is(err, syscall.E2BIG):
		return fmt.Errorf("cannot run %s: its arguments and environment are too large", spec.Command)
	case errors.Is(err, syscall.EINVAL):
		return fmt.Errorf("cannot run %s: an argument or a variable holds a NUL byte: %w", spec.Command, errHopeless)
	case errors.Is(err, syscall.ENOENT) && spec.Dir != "":
		return fmt.Errorf("cannot run %s in %s: %w", spec.Command, spec.Dir, err)
	}
	return fmt.Errorf("cannot run %s: %w", spec.Command, err)
}

// pipes makes the three pipes and returns the child's ends. Ours do not
// block, so that they take deadlines; the child's do, as programs expect.
func (p *process) pipes() (child [3]int, err error) {
	for i, ours := range []**os.File{&p.stdin, &p.stdout, &p.stderr} {
		var ends [2]int
		if err := syscall.Pipe2(ends[:], syscall.O_CLOEXEC); err != nil {
			p.closePipes()
			for _, fd := range child[:i] {
				_ = syscall.Close(fd)
			}
			return child, err
		}
		mine, theirs := ends[0], ends[1]
		if i == 0 {
			mine, theirs = ends[1], ends[0]
		}
		_ = syscall.SetNonblock(mine, true) // cannot fail on a pipe just made
		*ours, child[i] = os.NewFile(uintptr(mine), [3]string{"stdin", "stdout", "stderr"}[i]), theirs
	}
	return child, nil
}

func (p *process) closePipes() {
	for _, f := range []*os.File{p.stdin, p.stdout, p.stderr} {
		if f != nil {
			_ = f.Close() // closing twice is harmless
		}
	}
}

// bury waits for the leader's end, then ends and reaps whatever it leaves.
// It is the only place that waits for this pid.
func (p *process) bury() {
	awaitDeath(p.pid)
	close(p.dead)
	p.mu.Lock()
	p.gone = true
	_ = syscall.Kill(-p.pid, syscall.SIGKILL) // an empty group is what we want
	p.mu.Unlock()
	p.status = reapGroup(p.pid)
	reapMarked(p.mark)
	// Dead members of the group whose parent had left it come to us last.
	_ = reapGroup(p.pid)
	reapOrphans()
	close(p.exited)
}

// signal reaches every member of the group while the leader lives.
func (p *process) signal(sig syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.gone {
		_ = syscall.Kill(-p.pid, sig)
	}
}

// killAfter is how long a group that was asked to stop may take.
const killAfter = 5 * time.Second

// stop asks the group to end, insists after killAfter or as soon as hurry is
// closed, and returns when nothing is left of it.
func (p *process) stop(clock Clock, hurry <-chan struct{}) {
	p.signal(syscall.SIGTERM)
	disarm := clock.AfterFunc(killAfter, func() { p.signal(syscall.SIGKILL) })
	defer disarm()
	select {
	case <-p.exited:
		return
	case <-hurry:
		p.signal(syscall.SIGKILL)
	}
	<-p.exited
}

// ending says how the leader ended, once it has.
func (p *process) ending() string {
	if p.status.Signaled() {
		return "signal: " + p.status.Signal().String()
	}
	return fmt.Sprintf("exit status %d", p.status.ExitStatus())
}

func withoutMark(env []string) []string {
	out := make([]string, 0, len(env)+1)
	for _, entry := range env {
		if len(entry) <= len(MarkName) || entry[:len(MarkName)+1] != MarkName+"=" {
			out = append(out, entry)
		}
	}
	return out
}
