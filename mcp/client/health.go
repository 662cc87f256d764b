package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A server is asked whether it lives now and then, while nothing else is under
// way. One over HTTP has no process whose end would be seen: it is asked at
// once, too, when a request could not be delivered, and one silence is its
// end. A child's end shows by itself; what shows only here is one that is
// frozen, and since it may merely be busy it is given more than one chance.
const (
	healthEvery   = time.Minute
	healthTimeout = 30 * time.Second
	childChances  = 3
)

var errDeaf = fmt.Errorf("it does not answer: %d pings in a row got nothing within %s each", childChances, inWords(healthTimeout))

// health asks on a goroutine of its own, so that a server that is slow to
// answer holds up nothing else.
type health struct {
	gone chan error // the one answer that means the end
	end  func()
}

// watchHealth begins to ask.
func (v *life) watchHealth(l *link) health {
	h := health{gone: make(chan error, 1)}
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
	for silences := 0; ; {
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
		err := l.ping(ctx, clock)
		if ctx.Err() != nil {
			return
		}
		if silences, err = l.judge(silences, err); err != nil {
			h.gone <- err
			return
		}
	}
}

// judge counts the pings in a row that got no answer, and says whether the
// last one is the server's end.
func (l *link) judge(silences int, err error) (int, error) {
	_, silent := errors.AsType[unanswered](err)
	switch {
	case err == nil:
		return 0, nil
	case l.proc == nil:
		return silences, err
	case !silent:
		return silences, nil // its end shows by itself
	case silences+1 == childChances:
		return silences, errDeaf
	}
	return silences + 1, nil
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
