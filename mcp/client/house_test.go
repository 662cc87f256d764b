package client

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// patience bounds every wait of these tests. Only a failure waits so long.
const patience = 60 * time.Second

var houses atomic.Int64

// house is a pool on a spawner of its own, with all it reports and logs.
type house struct {
	t       *testing.T
	pool    *Pool
	spawner *Spawner
	mark    string
	log     *lockedBuffer

	mu      sync.Mutex
	moved   chan struct{}
	reports []Report
}

// fast is a clock on which that many times more passes.
type fast struct{ times int }

func (f fast) Now() time.Time {
	return began.Add(time.Since(began) * time.Duration(f.times))
}

func (f fast) AfterFunc(d time.Duration, fn func()) func() bool {
	return time.AfterFunc(d/time.Duration(f.times), fn).Stop
}

var began = time.Now()

func newHouse(t *testing.T, clock Clock) *house {
	t.Helper()
	h := &house{t: t, mark: fmt.Sprintf("%s%d", testMark(), houses.Add(1)), log: &lockedBuffer{}, moved: make(chan struct{})}
	log := slog.New(slog.NewJSONHandler(h.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	spawner, err := NewSpawner(SpawnerOptions{Mark: h.mark, Guard: []string{os.Args[0], "guard", h.mark}, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	h.spawner = spawner
	h.pool = NewPool(Options{Spawner: spawner, Clock: clock, Log: log, Version: "test", OnReport: h.note})
	h.log.settle = func() { h.pool.words.flush(patience) }
	t.Cleanup(h.close)
	return h
}

// close proves that nothing is left: no marked process, and no guard.
func (h *house) close() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	h.pool.Close(ctx)
	if ctx.Err() != nil {
		h.t.Error("the pool took too long to close")
	}
	h.nothingLeft()
	guard := h.spawner.guard.pid
	h.spawner.Close()
	if _, there := readStat(guard); there {
		h.t.Errorf("the guard %d outlives its spawner", guard)
	}
	if h.t.Failed() {
		h.t.Log(h.log.String())
	}
}

func (h *house) nothingLeft() {
	h.t.Helper()
	if left, err := Marked(h.mark + "."); err != nil || len(left) > 0 {
		h.t.Errorf("processes left behind: %v %v", left, err)
	}
}

func (h *house) note(r Report) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reports = append(h.reports, r)
	close(h.moved)
	h.moved = make(chan struct{})
}

// now counts what was reported so far, to wait only for what comes after.
func (h *house) now() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.reports)
}

// until waits for a report of the server, after the first skip reports, that
// fits.
func (h *house) until(skip int, server string, fits func(Report) bool) Report {
	h.t.Helper()
	timeout := time.After(patience)
	for {
		h.mu.Lock()
		reports, moved := h.reports, h.moved
		h.mu.Unlock()
		for _, r := range reports[min(skip, len(reports)):] {
			if r.Key.Server == server && fits(r) {
				return r
			}
		}
		select {
		case <-moved:
		case <-timeout:
			h.t.Fatalf("no such report of %s; there were %s", server, lines(reports))
		}
	}
}

func (h *house) running(server string) Report {
	h.t.Helper()
	return h.until(0, server, isRunning)
}

func isRunning(r Report) bool { return r.State == Running && r.Catalogue != nil }

func isFailed(r Report) bool { return r.State == Failed }

func lines(reports []Report) string {
	var b strings.Builder
	for _, r := range reports {
		fmt.Fprintf(&b, "\n  %s %s %s attempt %d: %s", r.Key.Server, r.State, r.Phase, r.Attempt, r.Error)
	}
	return b.String()
}

// fault is the spec of a misbehaving server: the test binary under another
// name. Its limits are wide, so that a busy machine fails no test on a fast
// clock.
func fault(name string, args ...string) Spec {
	return Spec{
		Key:     Key{Server: name, Node: "node-1"},
		Name:    name,
		Command: os.Args[0],
		Args:    append([]string{"server", name}, args...),
		Env:     WithEnv(BaseEnv(os.Environ(), os.Args[0])),

		StartupTimeout: 10 * time.Minute,
		CallTimeout:    10 * time.Minute,
	}
}

// eventually waits for a condition that nothing reports.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("it never came to this: %s", what)
		}
	}
}

type lockedBuffer struct {
	settle func() // waits for what is still to be written; may be nil
	mu     sync.Mutex
	b      bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	if l.settle != nil {
		l.settle()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
