package changes

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"crewlet/db"
)

// Channel is the notification channel a commit announces its position on. What
// is told there and is no position is an aside: a word from node to node about
// what the log does not hold.
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
	asides   map[int]func(string)
}

// NewFeed makes a feed that stands at the given position.
func NewFeed(d *db.DB, log *slog.Logger, position int64) *Feed {
	return &Feed{db: d, log: log, position: position, subs: map[int]func([]Change){}, asides: map[int]func(string){}}
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

// Asides hands every aside to fn until cancel is called, "" where some may have
// been missed.
func (f *Feed) Asides(fn func(word string)) (cancel func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	id := f.next
	f.next++
	f.asides[id] = fn
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.asides, id)
	}
}

const aside = `SELECT pg_notify($1, $2)`

// Aside tells every node a word once tx lands. A word is no number.
func Aside(ctx context.Context, tx *db.Tx, word string) error {
	if _, err := tx.ExecContext(ctx, aside, Channel, word); err != nil {
		return fmt.Errorf("tell the nodes of %s: %w", word, err)
	}
	return nil
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
		case note, open := <-notes:
			if !open {
				return nil
			}
			if _, err := strconv.ParseInt(note.Payload, 10, 64); err != nil {
				f.mention(note.Payload)
			}
		case <-tick.C:
		}
	}
}

func (f *Feed) mention(word string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, fn := range f.asides {
		fn(word)
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
