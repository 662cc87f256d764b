package client

import (
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
)

// guardDeaths is how often a guard that is killed is started again before we
// say aloud that the program runs without one.
const guardDeaths = 5

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
}

func (s *Spawner) startGuard(argv []string) (*guard, error) {
	g := &guard{spawner: s, argv: argv}
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
	for deaths := 1; ; deaths++ {
		started := time.Now()
		waitPID(g.pid)
		g.mu.Lock()
		_ = g.pipe.Close()
		if g.closing {
			g.mu.Unlock()
			return
		}
		if time.Since(started) > time.Minute {
			deaths = 1
		}
		err := fmt.Errorf("it ended %d times", deaths)
		if deaths < guardDeaths {
			err = g.start()
		}
		g.mu.Unlock()
		if err != nil {
			g.spawner.log.Error("guard_lost", "error", err.Error(),
				"cause", "children would outlive a kill -9 of this program until its next start")
			return
		}
	}
}

// close lets the guard go: the pipe's end tells it to finish.
func (g *guard) close() {
	g.mu.Lock()
	g.closing = true
	_ = g.pipe.Close()
	g.mu.Unlock()
	g.keeper.Wait()
}
