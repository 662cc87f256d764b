package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// errStopped ends a life that we end: a spec that went or changed, a restart,
// the end of the program.
var errStopped = errors.New("it was stopped")

// deathGrace is how long, in real time, a child whose output has ended may
// take to be seen dead: both come from one exit, in either order, and how
// long that takes is up to the machine.
const deathGrace = 2 * time.Second

// late is a start that took too long, in one of its phases.
type late struct {
	phase Phase
	limit time.Duration
}

func (e late) Error() string {
	switch e.phase {
	case Fetching:
		return fmt.Sprintf("its download did not end within %s", inWords(e.limit))
	case Listing:
		return fmt.Sprintf("it did not list its tools within %s (startup_timeout)", inWords(e.limit))
	}
	return fmt.Sprintf("it did not answer within %s (startup_timeout)", inWords(e.limit))
}

// errSilentProbe is a server/discover that nobody answered.
var errSilentProbe = errors.New("server/discover was not answered")

// dead reports whether the process ends within the grace, and returns once it
// is reaped when it does.
func (l *link) dead() bool {
	if l.proc == nil {
		return false
	}
	grace := time.NewTimer(deathGrace)
	defer grace.Stop()
	select {
	case <-l.proc.dead:
		<-l.proc.exited
		return true
	case <-grace.C:
		return false
	}
}

// demise says why a running child is no longer one: it is asked when the
// process has ended or the session has.
func (l *link) demise() error {
	if cause := l.conn.failure(); cause != nil {
		return cause
	}
	if l.dead() {
		return fmt.Errorf("it ended with %s", l.proc.ending())
	}
	if l.proc == nil {
		return errors.New("its session ended")
	}
	return errors.New("it closed its output and went on running")
}

// garbled is a start that came to nothing, of a child that printed something
// else where the protocol belongs.
type garbled struct {
	cause error
	lines int
	first string // redacted
}

func (e garbled) Error() string {
	if e.lines == 1 {
		return fmt.Sprintf("%v; a line of its output was no protocol: %s", e.cause, e.first)
	}
	return fmt.Sprintf("%v; %d lines of its output were no protocol, the first: %s", e.cause, e.lines, e.first)
}

func (e garbled) Unwrap() error { return e.cause }

// startFailure puts into one sentence why a start came to nothing.
func (l *link) startFailure(err error) error {
	cause := l.startCause(err)
	_, answered := errors.AsType[refused](cause)
	if lines := l.strays.all(); lines.Count > 0 && l.session == nil && !answered {
		return garbled{cause, lines.Count, lines.First[0]}
	}
	return cause
}

func (l *link) startCause(err error) error {
	if l.proc != nil && l.conn.failure() == nil && broken(err) {
		if l.dead() {
			return fmt.Errorf("it ended before it was ready, with %s", l.proc.ending())
		}
		return errors.New("it closed its output before it was ready")
	}
	if wire, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return refused{wire}
	}
	if l.proc == nil {
		return plainly(err)
	}
	return err
}

// plainly takes our own error out of what the SDK says around it.
func plainly(err error) error {
	for e := err; e != nil; e = errors.Unwrap(e) {
		switch e.(type) {
		case *answered, unreachable, forbidden, strayed, unanswered, lostSession:
			return e
		}
	}
	return err
}

// refused is a server's own error in answer to a request of the start.
type refused struct{ wire *jsonrpc.Error }

func (e refused) Error() string {
	return fmt.Sprintf("it refused to start a session: %s (code %d)", e.wire.Message, e.wire.Code)
}

// broken reports whether an error is that of a connection that is gone.
func broken(err error) bool {
	return errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrClosedPipe) || errors.Is(err, os.ErrClosed) ||
		errors.Is(err, syscall.EPIPE) || errors.Is(err, context.Canceled)
}
