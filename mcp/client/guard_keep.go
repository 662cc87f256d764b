package client

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
)

// A guard that is killed is started again at once; one that is killed again
// and again, after waits that double to the longest. We never give up, and say
// aloud how long the program runs without one.
const (
	guardWait    = time.Second
	guardLongest = time.Minute
	guardSound   = time.Minute // a guard that lived this long died for the first time
)

// guard keeps one guard process: it holds the pipe whose end wakes it, and
// starts another when somebody kills it.
type guard struct {
	spawner *Spawner
	argv    []string
	keeper  sync.WaitGroup

	mu      sync.Mutex
	pipe    *os.File
	pid     int
	closing bool
	over    chan struct{} // closed with closing
}

func (s *Spawner) startGuard(argv []string) (*guard, error) {
	g := &guard{spawner: s, argv: argv, over: make(chan struct{})}
	if err := g.start(); err != nil {
		return nil, err
	}
	g.keeper.Go(g.keep)
	return g, nil
}

// start runs one guard. It is in a session of its own, without our mark, and
// without a parent-death signal: it is there to outlive us.
func (g *guard) start() error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { _ = null.Close() }()
	var ends [2]int
	if err := syscall.Pipe2(ends[:], syscall.O_CLOEXEC); err != nil {
		return fmt.Errorf("pipe: %w", err)
	}
	defer func() { _ = syscall.Close(ends[0]) }()
	pipe := os.NewFile(uintptr(ends[1]), "guard")
	pid, err := g.spawner.fork(g.argv[0], g.argv, &syscall.ProcAttr{
		Dir:   "/",
		Env:   []string{},
		Files: []uintptr{uintptr(ends[0]), null.Fd(), null.Fd()},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		_ = pipe.Close()
		return err
	}
	g.pipe, g.pid = pipe, pid
	return nil
}

// keep waits for the guard's end and starts another unless we are closing.
func (g *guard) keep() {
	for deaths := 0; ; {
		began := g.spawner.clock.Now()
		waitPID(g.pid)
		if g.spawner.clock.Now().Sub(began) > guardSound {
			deaths = 0
		}
		for err := errGuardEnded; err != nil; {
			deaths++
			if !g.again(deaths, err) {
				return
			}
			g.mu.Lock()
			if err = nil; !g.closing {
				err = g.start()
			}
			g.mu.Unlock()
		}
	}
}

var errGuardEnded = errors.New("it ended")

// again says that there is no guard, waits as it has to, and reports whether
// another is wanted.
func (g *guard) again(deaths int, err error) bool {
	g.mu.Lock()
	if errors.Is(err, errGuardEnded) {
		_ = g.pipe.Close() // of the one that ended
	}
	closing := g.closing
	g.mu.Unlock()
	if closing {
		return false
	}
	wait := time.Duration(0)
	if deaths > 1 {
		wait = min(guardWait<<min(deaths-2, 10), guardLongest)
	}
	g.spawner.log.Error("guard_lost", "error", err.Error(), "attempt", deaths, "retry_in_seconds", wait.Seconds(),
		"cause", "until it runs again, children would outlive a kill -9 of this program until its next start")
	due := make(chan struct{})
	disarm := g.spawner.clock.AfterFunc(wait, func() { close(due) })
	defer disarm()
	select {
	case <-due:
		return true
	case <-g.over:
		return false
	}
}

// close lets the guard go: the pipe's end tells it to finish.
func (g *guard) close() {
	g.mu.Lock()
	g.closing = true
	close(g.over)
	_ = g.pipe.Close()
	g.mu.Unlock()
	g.keeper.Wait()
}
