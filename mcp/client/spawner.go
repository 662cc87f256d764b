package client

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

var errSpawnerClosed = errors.New("the spawner is closed")

// SpawnerOptions says how processes are marked and guarded.
type SpawnerOptions struct {
	// Mark is `<node>.<start>`, different for every start of every node.
	Mark string
	// Guard is the argument list that runs [Guard] with the read end of a
	// pipe on its standard input. Empty means this binary's own subcommand:
	// `crewlet guard MARK`.
	Guard []string
	Log   *slog.Logger
	Clock Clock // nil for the machine's own
}

// Spawner starts every child of the program, from one goroutine that stays on
// one OS thread: the kernel sends the parent-death signal when the thread
// that forked ends, not when the program does.
type Spawner struct {
	mark     string
	log      *slog.Logger
	clock    Clock
	words    *logQueue // what log waits in
	jobs     chan func()
	closing  chan struct{}
	thread   sync.WaitGroup
	closed   sync.Once
	children atomic.Int64
	guard    *guard
}

// NewSpawner makes this process the one that inherits orphans (a child
// subreaper), starts the thread and the guard. Whoever calls it calls Close.
func NewSpawner(o SpawnerOptions) (*Spawner, error) {
	if o.Mark == "" || strings.ContainsAny(o.Mark, "\x00\n") {
		return nil, fmt.Errorf("spawner: %q is no mark; give <node>.<start>", o.Mark)
	}
	argv := o.Guard
	if len(argv) == 0 {
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("spawner: find our own binary for the guard: %w", err)
		}
		argv = []string{self, "guard", o.Mark}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("spawner: become the one who inherits orphans: %w", err)
	}
	log, words := newLogQueue(o.Log)
	if o.Clock == nil {
		o.Clock = SystemClock()
	}
	s := &Spawner{mark: o.Mark, log: log, clock: o.Clock, words: words, jobs: make(chan func()), closing: make(chan struct{})}
	s.thread.Go(s.stayOnThread)
	var err error
	if s.guard, err = s.startGuard(argv); err != nil {
		s.endThread()
		return nil, fmt.Errorf("spawner: start the guard %s: %w", argv[0], err)
	}
	return s, nil
}

// Close ends the guard and the thread. Every pool on this spawner is closed
// before: a child still there would get the parent-death signal, and the
// guard ends it anyway.
func (s *Spawner) Close() {
	s.closed.Do(func() {
		s.guard.close()
		s.endThread()
		s.words.flush(lastWords)
	})
}

func (s *Spawner) endThread() {
	close(s.closing)
	s.thread.Wait()
}

func (s *Spawner) stayOnThread() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for {
		select {
		case job := <-s.jobs:
			job()
		case <-s.closing:
			return
		}
	}
}

// fork starts a program on the spawner's thread and returns its pid. Nobody
// but the caller waits for it: no os.Process is made, so os/exec never does.
func (s *Spawner) fork(file string, argv []string, attr *syscall.ProcAttr) (int, error) {
	return s.start(func() (int, error) { return syscall.ForkExec(file, argv, attr) })
}

// start runs what starts a program on the spawner's thread.
func (s *Spawner) start(run func() (pid int, err error)) (int, error) {
	type answer struct {
		pid int
		err error
	}
	done := make(chan answer, 1)
	job := func() {
		pid, err := run()
		done <- answer{pid, err}
	}
	select {
	case s.jobs <- job:
	case <-s.closing:
		return 0, errSpawnerClosed
	}
	a := <-done
	return a.pid, a.err
}

// nextMark is the mark of one more child.
func (s *Spawner) nextMark() string {
	return s.mark + "." + strconv.FormatInt(s.children.Add(1), 10)
}
