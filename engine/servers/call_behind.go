package servers

import (
	"context"
	"sync"
	"time"

	"crewlet/db"
)

const (
	// behind is how long the record of a call that changed nothing waits for
	// others to be written with.
	behind = 100 * time.Millisecond
	// waiting bounds what waits while the database is away.
	waiting = 10_000
	// heavy bounds how many of those hold what was said, which may be megabytes.
	heavy = 64
)

// behindLog holds the records of calls known to change nothing until they are
// written together: such a call waits for no transaction.
type behindLog struct {
	mu      sync.Mutex
	queue   []callRecord
	dropped int
	signal  chan struct{}
}

func newBehindLog() *behindLog { return &behindLog{signal: make(chan struct{}, 1)} }

func (b *behindLog) add(rec callRecord) {
	b.mu.Lock()
	if len(b.queue) >= heavy {
		rec.Payload, rec.Payloads = nil, []payload{}
	}
	if len(b.queue) < waiting {
		b.queue = append(b.queue, rec)
	} else {
		b.dropped++
	}
	b.mu.Unlock()
	select {
	case b.signal <- struct{}{}:
	default:
	}
}

func (b *behindLog) take() (list []callRecord, dropped int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	list, dropped = b.queue, b.dropped
	b.queue, b.dropped = nil, 0
	return list, dropped
}

// back puts records that could not be written before those that came since.
func (b *behindLog) back(list []callRecord) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue = append(list, b.queue...)
	if over := len(b.queue) - waiting; over > 0 {
		b.queue, b.dropped = b.queue[:waiting], b.dropped+over
	}
}

// writeBehind writes records until ctx ends, and then what is left.
func (s *Servers) writeBehind(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
			s.flush(last)
			return
		case <-s.behind.signal:
		}
		due := make(chan struct{}, 1)
		disarm := s.o.Clock.AfterFunc(behind, func() { due <- struct{}{} })
		select {
		case <-ctx.Done():
		case <-due:
		}
		disarm()
		if !s.flush(ctx) && ctx.Err() == nil {
			s.records.pause(ctx)
			select {
			case s.behind.signal <- struct{}{}:
			default:
			}
		}
	}
}

// flush writes all that waits; false when it is to be tried again.
func (s *Servers) flush(ctx context.Context) bool {
	list, dropped := s.behind.take()
	if dropped > 0 {
		s.o.Log.ErrorContext(ctx, "call_records_dropped", "node", s.o.Node.ID, "count", dropped)
	}
	if len(list) == 0 {
		return true
	}
	err := s.o.DB.InTx(ctx, func(tx *db.Tx) error { return writeCalls(ctx, tx, list) })
	if err != nil {
		s.o.Log.WarnContext(ctx, "call_records_late", "node", s.o.Node.ID, "count", len(list), "error", err)
		s.behind.back(list)
	}
	return err == nil
}
