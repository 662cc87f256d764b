package db

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/lib/pq"
)

const (
	listenRetry    = 50 * time.Millisecond
	listenRetryMax = time.Second
)

// Note is one notification. Resync means that some may have been missed while
// the connection was down.
type Note struct {
	Payload string
	Resync  bool
}

// Listen delivers the notifications of channel on a connection of its own,
// which is made again when it is lost. Its answer is closed when ctx or d
// ends. Notifications wait for a slow reader; none is dropped.
func (d *DB) Listen(ctx context.Context, channel string) (<-chan Note, error) {
	if d.ending.Err() != nil {
		return nil, errors.New("listen: the database is closed")
	}
	failed := make(chan error, 1)
	l := pq.NewDialListener(&dialer{}, d.dsn, listenRetry, listenRetryMax, func(_ pq.ListenerEventType, err error) {
		if err != nil {
			select {
			case failed <- err:
			default:
			}
			d.log.Warn("the database's notifications are interrupted", "channel", channel, "err", err)
		}
	})
	ready := make(chan error, 1)
	d.listeners.Go(func() { ready <- l.Listen(channel) })
	select {
	case err := <-ready:
		if err == nil {
			return d.forward(ctx, l), nil
		}
		d.discard(l)
		return nil, fmt.Errorf("listen to %s: %w", channel, err)
	case err := <-failed:
		d.discard(l)
		return nil, fmt.Errorf("listen to %s: %w", channel, err)
	case <-ctx.Done():
		d.discard(l)
		return nil, ctx.Err()
	case <-d.ending.Done():
		d.discard(l)
		return nil, errors.New("listen: the database is being closed")
	}
}

// forward hands notifications on until ctx or d ends, then ends l.
func (d *DB) forward(ctx context.Context, l *pq.Listener) <-chan Note {
	notes := make(chan Note)
	d.listeners.Go(func() {
		defer d.discard(l)
		defer close(notes)
		for {
			select {
			case n, ok := <-l.Notify:
				if !ok || !d.hand(ctx, notes, n) {
					return
				}
			case <-ctx.Done():
				return
			case <-d.ending.Done():
				return
			}
		}
	})
	return notes
}

func (d *DB) hand(ctx context.Context, notes chan<- Note, n *pq.Notification) bool {
	note := Note{Resync: true}
	if n != nil {
		note = Note{Payload: n.Extra}
	}
	select {
	case notes <- note:
		return true
	case <-ctx.Done():
		return false
	case <-d.ending.Done():
		return false
	}
}

// discard closes l; Close of the database waits until its goroutine is gone,
// which closes Notify last.
func (d *DB) discard(l *pq.Listener) {
	d.listeners.Go(func() {
		_ = l.Close()
		for range l.Notify { // so that its sender is not stuck
			continue
		}
	})
}
