package client

import (
	"context"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A server over HTTP has no process whose end would be seen. It is asked
// whether it lives: now and then while nothing else is under way, and at once
// when a request could not be delivered.
const (
	healthEvery   = time.Minute
	healthTimeout = 30 * time.Second
)

// health asks on a goroutine of its own, so that a server that is slow to
// answer holds up nothing else.
type health struct {
	gone chan error // the one answer that means the end
	end  func()
}

// watchHealth begins to ask, over HTTP; a child's end shows by itself.
func (v *life) watchHealth(l *link) health {
	h := health{gone: make(chan error, 1), end: func() {}}
	if l.proc != nil {
		return h
	}
	ctx, cancel := context.WithCancel(v.ctx)
	done := make(chan struct{})
	h.end = func() {
		cancel()
		<-done
	}
	go func() {
		defer close(done)
		h.ask(ctx, v.clock, l)
	}()
	return h
}

func (h health) ask(ctx context.Context, clock Clock, l *link) {
	for {
		due := make(chan struct{})
		disarm := clock.AfterFunc(healthEvery, func() { close(due) })
		select {
		case <-ctx.Done():
			disarm()
			return
		case <-due:
			if l.conn.results().busy() {
				continue // whoever works on a call may be too busy for more
			}
		case <-l.suspect:
			disarm()
		}
		if err := l.ping(ctx, clock); err != nil && ctx.Err() == nil {
			h.gone <- err
			return
		}
	}
}

// ping is nil when the server answered anything, an error included.
func (l *link) ping(ctx context.Context, clock Clock) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer clock.AfterFunc(healthTimeout, func() { cancel(unanswered{healthTimeout}) })()
	err := l.session.Ping(ctx, nil)
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if cause := l.conn.failure(); cause != nil {
		return cause
	}
	if away, ok := errors.AsType[unreachable](err); ok {
		return away
	}
	if _, ok := errors.AsType[*jsonrpc.Error](err); !ok && broken(err) {
		return l.demise()
	}
	return nil
}
