package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// errStopped ends a life that we end: a spec that went or changed, a restart,
// the end of the program.
var errStopped = errors.New("it was stopped")

// deathGrace is how long a child whose output has ended may take to be seen
// dead: both come from one exit, in either order.
const deathGrace = time.Second

// late is a start that took too long, in one of its phases.
type late struct {
	phase Phase
	limit time.Duration
}

func (e late) Error() string {
	switch e.phase {
	case Fetching:
		return fmt.Sprintf("its download did not end within %s", e.limit)
	case Listing:
		return fmt.Sprintf("it did not list its tools within %s (startup_timeout)", e.limit)
	}
	return fmt.Sprintf("it did not answer within %s (startup_timeout)", e.limit)
}

// errSilentProbe is a server/discover that nobody answered.
var errSilentProbe = errors.New("server/discover was not answered")

// dead reports whether the process ends within the grace.
func (l *link) dead(clock Clock) bool {
	grace := make(chan struct{})
	disarm := clock.AfterFunc(deathGrace, func() { close(grace) })
	defer disarm()
	select {
	case <-l.proc.exited:
		return true
	case <-grace:
		return false
	}
}

// demise says why a running child is no longer one: it is asked when the
// process has ended or the session has.
func (l *link) demise(clock Clock) error {
	if cause := l.conn.failure(); cause != nil {
		return cause
	}
	if l.dead(clock) {
		return fmt.Errorf("it ended with %s", l.proc.ending())
	}
	return errors.New("it closed its output and went on running")
}

// startFailure puts into one sentence why a start came to nothing.
func (l *link) startFailure(clock Clock, err error) error {
	if l.conn.failure() == nil && broken(err) {
		if l.dead(clock) {
			return fmt.Errorf("it ended before it was ready, with %s", l.proc.ending())
		}
		return errors.New("it closed its output before it was ready")
	}
	if wire, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return fmt.Errorf("it refused to start a session: %s (code %d)", wire.Message, wire.Code)
	}
	return err
}

// broken reports whether an error is that of a connection that is gone.
func broken(err error) bool {
	return errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrClosedPipe) || errors.Is(err, context.Canceled)
}
