package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// writeTimeout is how long a child may leave its stdin unread, with a message
// of ours waiting, before it is taken for broken.
const writeTimeout = 30 * time.Second

var (
	errNotReading   = fmt.Errorf("it stopped reading its input for %s", inWords(writeTimeout))
	errProbeRefused = errors.New("server/discover was refused")
)

// stdio is the SDK's transport and connection over a child's pipes. The SDK's
// own stdio connection ends at the first line that is no message and waits
// for ever on a child that does not read; this one does neither.
type stdio struct {
	clock   Clock
	stdin   *os.File
	stdout  *os.File
	frames  *frames
	tap     tap
	probing bool // set before the session begins

	writes chan *write
	closed chan struct{}
	once   sync.Once
	heard  chan struct{} // closed once all that the child said is read
	silent sync.Once
	writer sync.WaitGroup

	mu    sync.Mutex
	cause error // why the connection ended, when we know
}

type write struct {
	text []byte
	done chan error
}

var _ wire = (*stdio)(nil)

func newStdio(clock Clock, p *process, heard func(), skip func([]byte)) *stdio {
	c := &stdio{
		clock: clock, stdin: p.stdin, stdout: p.stdout,
		frames: newFrames(p.stdout, heard, skip),
		writes: make(chan *write), closed: make(chan struct{}), heard: make(chan struct{}),
	}
	c.writer.Go(c.writeAll)
	return c
}

// Connect is the connection itself: there is one per child.
func (c *stdio) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID is empty: a child's pipes are its session.
func (c *stdio) SessionID() string { return "" }

// Read returns the child's next message. Close ends it.
func (c *stdio) Read(context.Context) (jsonrpc.Message, error) {
	msg, err := c.frames.next()
	if err != nil {
		c.silent.Do(func() { close(c.heard) })
		if errors.Is(err, errFrameTooLarge) {
			c.fail(err)
		}
		return nil, io.EOF
	}
	c.tap.received(msg)
	return msg, nil
}

// Write hands one message to the writer and waits until it is written, the
// caller gives up, or the connection ends. A caller that gives up holds up
// nobody else.
func (c *stdio) Write(ctx context.Context, msg jsonrpc.Message) error {
	if req, ok := msg.(*jsonrpc.Request); ok && c.probing && req.Method == "initialize" {
		return errProbeRefused
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	text, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encode a message: %w", err)
	}
	c.tap.sent(ctx, msg)
	w := &write{append(text, '\n'), make(chan error, 1)}
	select {
	case c.writes <- w:
		c.tap.writing(ctx, msg)
	case <-ctx.Done():
		return ctx.Err()
	case <-c.closed:
		return io.ErrClosedPipe
	}
	select {
	case err := <-w.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-c.closed:
		return io.ErrClosedPipe
	}
}

// writeAll is the one goroutine that writes to the child.
func (c *stdio) writeAll() {
	for {
		select {
		case w := <-c.writes:
			w.done <- c.writeOne(w.text)
		case <-c.closed:
			return
		}
	}
}

func (c *stdio) writeOne(text []byte) error {
	disarm := c.clock.AfterFunc(writeTimeout, func() {
		c.fail(errNotReading)
	})
	defer disarm()
	_, err := c.stdin.Write(text)
	if err != nil {
		c.lastWords()
	}
	return err
}

// lastWords lets the reader come to the end of what a child printed that takes
// no more: told of first, a failed write would end the session before that.
func (c *stdio) lastWords() {
	grace := time.NewTimer(deathGrace)
	defer grace.Stop()
	select {
	case <-c.heard:
	case <-c.closed:
	case <-grace.C:
	}
}

func (c *stdio) results() *tap { return &c.tap }

func (c *stdio) probe() { c.probing = true }

// goodbye closes the child's input.
func (c *stdio) goodbye(Clock, <-chan struct{}) { _ = c.stdin.Close() }

func (c *stdio) finish() { c.writer.Wait() }

// fail ends the connection and keeps the reason.
func (c *stdio) fail(cause error) {
	c.mu.Lock()
	if c.cause == nil {
		c.cause = cause
	}
	c.mu.Unlock()
	_ = c.Close()
}

func (c *stdio) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cause
}

// Close ends both directions. It may be called more than once.
func (c *stdio) Close() error {
	c.once.Do(func() {
		close(c.closed)
		_ = c.stdin.Close()
		_ = c.stdout.Close()
	})
	return nil
}
