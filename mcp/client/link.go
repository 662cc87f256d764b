package client

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// era is which of the two protocols a server speaks.
type era int

const (
	eraUnknown     era = iota
	eraSessionless     // server/discover, 2026-07-28
	eraInitialize      // initialize, 2025-11-25 and earlier
)

// lastInitialize is the newest version of the older era.
const lastInitialize = "2025-11-25"

// flushTime is how long we read on, in real time, after a child's end for
// what it had still written.
const flushTime = time.Second

// link is one child and the session with it.
type link struct {
	spec    Spec
	proc    *process
	conn    *stdio
	session *mcp.ClientSession
	redact  *redactor
	log     *slog.Logger

	heard   chan struct{} // closed at the first byte on stdout
	changed chan struct{} // holds one token while something may have changed
	over    chan struct{} // closed when the session has ended
	pumps   sync.WaitGroup
	stderr  tail
	skipped atomic.Int64
}

// open starts the child of a spec and listens to all it says.
func open(spawner *Spawner, clock Clock, spec Spec, log *slog.Logger) (*link, error) {
	proc, err := spawner.spawn(spec)
	if err != nil {
		return nil, err
	}
	l := &link{
		spec: spec, proc: proc, redact: newRedactor(spec.Secrets), log: log,
		heard: make(chan struct{}), changed: make(chan struct{}, 1), over: make(chan struct{}),
	}
	l.conn = newStdio(clock, proc, func() { close(l.heard) }, l.skip)
	l.pumps.Go(func() { drain(proc.stderr, l.complain) })
	return l, nil
}

// skip counts and logs a line on stdout that is no message.
func (l *link) skip(line []byte) {
	l.skipped.Add(1)
	l.log.Debug("server_stdout_skipped", "line", l.redact.line(string(line[:min(len(line), 200)])))
}

func (l *link) complain(line string) {
	line = l.redact.line(line)
	l.stderr.add(line)
	l.log.Debug("server_stderr", "line", line)
}

// shakeHands begins the session in one era. With eraSessionless nothing but
// server/discover is tried.
func (l *link) shakeHands(ctx context.Context, e era, version string) error {
	touch := func() {
		select {
		case l.changed <- struct{}{}:
		default: // one look covers all that changed before it
		}
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "crewlet", Version: version}, &mcp.ClientOptions{
		Capabilities:               &mcp.ClientCapabilities{},
		ToolListChangedHandler:     func(context.Context, *mcp.ToolListChangedRequest) { touch() },
		PromptListChangedHandler:   func(context.Context, *mcp.PromptListChangedRequest) { touch() },
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { touch() },
	})
	opts := &mcp.ClientSessionOptions{}
	if e == eraInitialize {
		opts.ProtocolVersion = lastInitialize
	}
	l.conn.probing = e == eraSessionless
	// Whoever gives up on the handshake gives up on the child: nothing in the
	// SDK may then wait for it.
	unhook := context.AfterFunc(ctx, func() { _ = l.conn.Close() })
	defer unhook()
	session, err := c.Connect(ctx, l.conn, opts)
	if err != nil {
		return l.explain(ctx, err)
	}
	l.session = session
	l.pumps.Go(func() {
		_ = session.Wait() // how it ended shows in the process and in conn.failure
		close(l.over)
	})
	return nil
}

// explain prefers what we know of a broken connection to what the SDK saw.
func (l *link) explain(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if cause := l.conn.failure(); cause != nil {
		return cause
	}
	return err
}

// close ends the child and everything that belongs to it, politely unless it
// is already dead, and returns when all of it is gone.
func (l *link) close(clock Clock, hurry <-chan struct{}) {
	l.conn.closeInput()
	l.proc.stop(clock, hurry)
	// All who could write are dead: what is left in the pipes is the end. The
	// deadline is for a writer that hid its mark.
	deadline := time.Now().Add(flushTime)
	_ = l.proc.stderr.SetReadDeadline(deadline)
	_ = l.proc.stdout.SetReadDeadline(deadline)
	if l.session != nil {
		<-l.over
		_ = l.session.Close()
	}
	_ = l.conn.Close()
	l.conn.writer.Wait()
	l.pumps.Wait()
	l.proc.closePipes()
}

func (l *link) capabilities() Capabilities {
	c := l.session.InitializeResult().Capabilities
	if c == nil {
		return Capabilities{}
	}
	return Capabilities{
		Tools: c.Tools != nil, Resources: c.Resources != nil, Prompts: c.Prompts != nil,
		Completions: c.Completions != nil,
	}
}

// introduce fills in what the server says of itself.
func (l *link) introduce(r *Report) {
	r.PID = l.proc.pid
	info := l.session.InitializeResult()
	r.Era = info.ProtocolVersion
	r.Instructions = l.redact.line(info.Instructions)
	if s := info.ServerInfo; s != nil {
		r.Server = Implementation{l.redact.line(s.Name), l.redact.line(s.Title), l.redact.line(s.Version)}
	}
}
