package changes

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"crewlet/db"
)

// Channel is the notification channel a commit announces its position on.
const Channel = "changes"

// batch is how many rows one read of the log takes.
const batch = 1000

// recheck is how often the log is read although nothing was announced: a
// notification may be lost while the connection is away.
const recheck = time.Minute

// Feed reads the log once for the whole node. Subscribers are called in order
// on the feed's own goroutine and must not block.
type Feed struct {
	db  *db.DB
	log *slog.Logger

	mu       sync.Mutex
	position int64
	next     int
	subs     map[int]func([]Change)
}

// NewFeed makes a feed that stands at the given position.
func NewFeed(d *db.DB, log *slog.Logger, position int64) *Feed {
	return &Feed{db: d, log: log, position: position, subs: map[int]func([]Change){}}
}

// Position is how far the feed has handed out the log.
func (f *Feed) Position() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.position
}

// Subscribe hands every later row to fn until cancel is called. It answers the
// position from which fn will see everything.
func (f *Feed) Subscribe(fn func([]Change)) (from int64, cancel func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	id := f.next
	f.next++
	f.subs[id] = fn
	return f.position, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.subs, id)
	}
}

// Run reads the log until ctx ends. A database that is away is waited for.
func (f *Feed) Run(ctx context.Context) error {
	notes, err := f.db.Listen(ctx, Channel)
	if err != nil {
		return err
	}
	tick := time.NewTicker(recheck)
	defer tick.Stop()
	for {
		f.drain(ctx)
		select {
		case <-ctx.Done():
			return nil
		case _, open := <-notes:
			if !open {
				return nil
			}
		case <-tick.C:
		}
	}
}

// drain hands out all there is.
func (f *Feed) drain(ctx context.Context) {
	for {
		rows, err := After(ctx, f.db, f.Position(), batch)
		if err != nil {
			if ctx.Err() == nil {
				f.log.WarnContext(ctx, "change_feed_behind", "error", err)
			}
			return
		}
		if len(rows) == 0 {
			return
		}
		f.hand(rows)
	}
}

func (f *Feed) hand(rows []Change) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.position = rows[len(rows)-1].Position
	for _, fn := range f.subs {
		fn(rows)
	}
}
