package client

import (
	"context"
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

// longestSkip is how much is shown of a line on stdout that is no message.
const longestSkip = 200

// link is one child, or one connection over HTTP, and the session with it.
type link struct {
	spec    Spec
	proc    *process // nil over HTTP
	conn    wire
	session *mcp.ClientSession
	redact  *redactor
	called  *called

	heard   chan struct{} // closed at the first byte on stdout
	changed chan struct{} // holds one token while something may have changed
	suspect chan struct{} // holds one token while the server may be gone
	over    chan struct{} // closed when the session has ended
	pumps   sync.WaitGroup
	stderr  tail
	strays  strays
	noisy   func() // told of a stray line worth telling

	elicit   func(context.Context, Elicitation) *Answer
	tools    atomic.Pointer[map[string]toolFacts]
	progress progress
}

// toolFacts are what a call needs of a tool's last listing.
type toolFacts struct {
	headers []paramHeader
	again   bool // calling it twice is as calling it once
}

// open starts the child of a spec and listens to all it says, or makes ready
// to reach the server at an address.
func (v *life) open() (*link, error) {
	l := &link{
		spec: v.spec, redact: newRedactor(v.spec.Secrets, v.hidden), called: v.called, elicit: v.elicit,
		heard: make(chan struct{}), changed: make(chan struct{}, 1), suspect: make(chan struct{}, 1),
		over: make(chan struct{}),
	}
	l.progress.redact, l.noisy = l.redact, func() { v.tell(event{kind: evStray, link: l}) }
	switch v.spec.transport() {
	case HTTP:
		c, err := newStreamable(v.spec, v.clock, v.version)
		if err != nil {
			return nil, err
		}
		c.params, c.stream, c.doubt = l.paramHeaders, func() { touch(l.changed) }, func() { touch(l.suspect) }
		l.conn = c
	case SSE:
		c, err := newLegacySSE(v.spec, v.clock, v.version)
		if err != nil {
			return nil, err
		}
		c.doubt = func() { touch(l.suspect) }
		l.conn = c
	default:
		if err := l.startChild(v.spawner, v.clock); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func (l *link) startChild(spawner *Spawner, clock Clock) (err error) {
	if l.proc, err = spawner.spawn(l.spec); err != nil {
		return err
	}
	l.conn = newStdio(clock, l.proc, func() { close(l.heard) }, l.skip)
	l.pumps.Go(func() { drain(l.proc.stderr, l.redact, l.complain) })
	return nil
}

// touch leaves one token: one look covers all that happened before it.
func touch(token chan struct{}) {
	select {
	case token <- struct{}{}:
	default:
	}
}

// skip counts and logs a line on stdout that is no message, and keeps the
// first ones.
func (l *link) skip(line []byte) {
	text := l.redact.clipped(string(line[:min(len(line), l.redact.enough(longestSkip))]), longestSkip)
	if l.strays.add(text) {
		l.noisy()
	}
	l.called.log().Debug("server_stdout_skipped", "line", text)
}

func (l *link) complain(line string) {
	l.stderr.add(line)
	l.called.log().Debug("server_stderr", "line", line)
}

// pid is the child's, 0 over HTTP.
func (l *link) pid() int {
	if l.proc == nil {
		return 0
	}
	return l.proc.pid
}

// exited is closed when nothing is left of the child; over HTTP it is nil,
// and never ready.
func (l *link) exited() <-chan struct{} {
	if l.proc == nil {
		return nil
	}
	return l.proc.exited
}

// close ends the child, or the session, and everything that belongs to it,
// politely unless it is already dead, and returns when all of it is gone.
func (l *link) close(clock Clock, hurry <-chan struct{}) {
	l.conn.goodbye(clock, hurry)
	if l.proc != nil {
		l.proc.stop(clock, hurry)
		// All who could write are dead: what is left in the pipes is the end.
		// The deadline is for a writer that hid its mark.
		deadline := time.Now().Add(flushTime)
		_ = l.proc.stderr.SetReadDeadline(deadline)
		_ = l.proc.stdout.SetReadDeadline(deadline)
	} else {
		_ = l.conn.Close()
	}
	if l.session != nil {
		<-l.over
		_ = l.session.Close()
	}
	_ = l.conn.Close()
	l.conn.finish()
	l.pumps.Wait()
	if l.proc != nil {
		l.proc.closePipes()
	}
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
	r.PID = l.pid()
	info := l.session.InitializeResult()
	r.Era = info.ProtocolVersion
	r.Instructions = l.redact.line(info.Instructions)
	if s := info.ServerInfo; s != nil {
		r.Server = Implementation{l.redact.line(s.Name), l.redact.line(s.Title), l.redact.line(s.Version)}
	}
}

// remember keeps of a listing what calls need.
func (l *link) remember(cat *Catalogue) {
	facts := make(map[string]toolFacts, len(cat.Tools))
	for _, t := range cat.Tools {
		headers, err := paramHeaders(t.InputSchema)
		if err != nil {
			headers = nil // the tool is marked invalid for it
		}
		a := t.Annotations
		facts[t.Name] = toolFacts{headers, a.ReadOnly != nil && *a.ReadOnly || a.Idempotent != nil && *a.Idempotent}
	}
	l.tools.Store(&facts)
}

func (l *link) facts(tool string) toolFacts {
	if all := l.tools.Load(); all != nil {
		return (*all)[tool]
	}
	return toolFacts{}
}

func (l *link) paramHeaders(tool string) []paramHeader { return l.facts(tool).headers }
