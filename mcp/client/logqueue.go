package client

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// How many records wait for a log that is slow. Past the first bound the
// words of servers (debug records) are dropped, so that what we have to say
// ourselves still finds room.
const (
	queuedDebug = 1024
	queuedAll   = 2048
	// lastWords is how long, in real time, an ending pool waits for its log.
	lastWords = time.Second
)

// logQueue stands before a log that may block, as a pipe nobody reads does:
// whoever logs never waits. Its goroutine is there while there are records.
type logQueue struct {
	to slog.Handler // takes the notice of what was dropped

	mu      sync.Mutex
	records []queuedRecord
	working bool
	dropped int
	idle    chan struct{} // closed when the work under way is done
}

type queuedRecord struct {
	to     slog.Handler
	record slog.Record
}

// newLogQueue returns a log before the one given, and what it waits in.
func newLogQueue(log *slog.Logger) (*slog.Logger, *logQueue) {
	q := &logQueue{to: log.Handler()}
	return slog.New(queuedHandler{q, q.to}), q
}

func (q *logQueue) put(r queuedRecord) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n := len(q.records); n >= queuedAll || n >= queuedDebug && r.record.Level < slog.LevelInfo {
		q.dropped++
		return
	}
	q.records = append(q.records, r)
	if !q.working {
		q.working, q.idle = true, make(chan struct{})
		go q.work(q.idle)
	}
}

// work writes what waits and ends when nothing does.
func (q *logQueue) work(idle chan struct{}) {
	defer close(idle)
	for {
		q.mu.Lock()
		records, dropped := q.records, q.dropped
		q.records, q.dropped = nil, 0
		q.working = len(records) > 0
		q.mu.Unlock()
		if len(records) == 0 {
			return
		}
		for _, r := range records {
			_ = r.to.Handle(context.Background(), r.record) // a log has nobody to complain to
		}
		if dropped > 0 {
			slog.New(q.to).Warn("log_records_dropped", "count", dropped)
		}
	}
}

// flush waits, but no longer than that, until everything is written.
func (q *logQueue) flush(limit time.Duration) {
	q.mu.Lock()
	working, idle := q.working, q.idle
	q.mu.Unlock()
	if !working {
		return
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-idle:
	case <-timer.C:
	}
}

// queuedHandler is a handler with its attributes, behind the queue.
type queuedHandler struct {
	queue *logQueue
	to    slog.Handler
}

func (h queuedHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.to.Enabled(ctx, level)
}

func (h queuedHandler) Handle(_ context.Context, r slog.Record) error {
	h.queue.put(queuedRecord{h.to, r.Clone()})
	return nil
}

func (h queuedHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return queuedHandler{h.queue, h.to.WithAttrs(attrs)}
}

func (h queuedHandler) WithGroup(name string) slog.Handler {
	return queuedHandler{h.queue, h.to.WithGroup(name)}
}
