package client

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// blocked is a log whose writer is stuck, as at a full pipe.
type blocked struct {
	slog.Handler
	release <-chan struct{}
	stuck   *atomic.Int64
}

func (b blocked) Handle(context.Context, slog.Record) error {
	b.stuck.Add(1)
	<-b.release
	return nil
}
func (b blocked) WithAttrs([]slog.Attr) slog.Handler { return b }

// A log that takes nothing more stops no server, no call and no end.
func TestLogThatBlocksStopsNothing(t *testing.T) {
	t.Parallel()
	release, stuck := make(chan struct{}), &atomic.Int64{}
	t.Cleanup(func() { close(release) })
	h := newHouse(t, SystemClock())
	pool := NewPool(Options{
		Spawner: h.spawner, OnReport: h.note,
		Log: slog.New(blocked{slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}), release, stuck}),
	})
	flood, rich := fault("flood"), fault("rich")
	pool.Apply([]Spec{flood, rich})
	h.running(flood.Name)
	h.running(rich.Name)
	if _, err := pool.Call(t.Context(), rich.Key, "echo", nil); err != nil {
		t.Error(err)
	}
	if stuck.Load() == 0 {
		t.Fatal("nothing was logged")
	}
	closed := make(chan struct{})
	go func() {
		pool.Close(context.Background())
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(patience):
		t.Fatal("the pool waits for its log")
	}
	h.nothingLeft()
}

// What does not fit is counted; what servers say goes first.
func TestLogQueueDropsWordsOfServersFirst(t *testing.T) {
	t.Parallel()
	var out lockedBuffer
	out.mu.Lock() // the writer is stuck
	log, q := newLogQueue(slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug})))
	for range 3 * queuedAll {
		log.Debug("chatter")
	}
	log.With("server", "s").WithGroup("g").Info("important", "n", 1)
	out.mu.Unlock()
	q.flush(patience)
	text := out.String()
	if !strings.Contains(text, `"important","server":"s","g":{"n":1}`) || !strings.Contains(text, `"log_records_dropped","count":`) {
		t.Errorf("got …%s", text[max(0, len(text)-500):])
	}
	if n := strings.Count(text, "chatter"); n < queuedDebug || n > 2*queuedDebug+1 {
		t.Errorf("%d debug records were kept", n)
	}
}
