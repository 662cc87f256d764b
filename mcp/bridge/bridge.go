// Package bridge carries MCP between a client on standard input and output
// and a node's door over HTTP. Every message goes through as it is; what the
// node answers comes out as one line each, and nothing else does.
package bridge

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// Options is what a bridge is handed.
type Options struct {
	URL   string // of the door
	Token string // sent with every message, and written nowhere
	In    io.Reader
	Out   io.Writer
	Log   *slog.Logger
	// Missing is what is said when there is nothing at the address.
	Missing string
}

// lastWords is how long answers under way may take to come once the client
// has said all it wanted.
const lastWords = 5 * time.Second

// bridge is one client's session.
type bridge struct {
	o    Options
	http *http.Client

	write sync.Mutex // one line at a time

	mu       sync.Mutex
	version  string                        // of the protocol, as the node answered it
	open     map[string]context.CancelFunc // requests under way, by id
	hears    sync.Once                     // the stream of what the node says by itself
	requests sync.WaitGroup                // those that end by themselves
	held     sync.WaitGroup                // those that do not
}

// Run carries messages until the client's end of the input.
func Run(ctx context.Context, o Options) error {
	b := &bridge{o: o, open: map[string]context.CancelFunc{}}
	b.http = &http.Client{
		// A redirect would carry the token to somewhere nobody named.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	ctx, cancel := context.WithCancel(ctx)
	defer b.held.Wait()
	defer cancel()
	lines, failed := read(ctx, o.In)
	for {
		select {
		case <-ctx.Done():
			return nil
		case line, more := <-lines:
			if !more {
				b.finish()
				return <-failed
			}
			b.take(ctx, line)
		}
	}
}

// read hands on the lines of the input. Its goroutine ends with the input, or
// with the program: a read cannot be called off.
func read(ctx context.Context, from io.Reader) (<-chan []byte, <-chan error) {
	lines, failed := make(chan []byte), make(chan error, 1)
	go func() {
		defer close(lines)
		in := bufio.NewReader(from)
		for {
			line, err := in.ReadBytes('\n')
			if len(line) > 0 {
				select {
				case lines <- line:
				case <-ctx.Done():
				}
			}
			if err != nil {
				if errors.Is(err, io.EOF) {
					err = nil
				}
				failed <- err
				return
			}
		}
	}()
	return lines, failed
}

// finish lets answers under way come, but not those that never end.
func (b *bridge) finish() {
	done := make(chan struct{})
	go func() { b.requests.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(lastWords):
	}
}

// take sends one message on its way. Requests run beside each other; their
// answers carry their ids.
func (b *bridge) take(ctx context.Context, line []byte) {
	if len(bytes.TrimSpace(line)) == 0 {
		return // some clients part their messages so
	}
	m, err := parse(line)
	if err != nil {
		b.refuse(nil, parseError, "This line is no JSON-RPC message: "+err.Error())
		return
	}
	b.o.Log.DebugContext(ctx, "from_client", "method", m.Method, "id", string(m.ID))
	if m.Method == "notifications/cancelled" {
		b.cancel(string(m.Params.RequestID))
		return // hanging up is how the node hears of it
	}
	session := ctx
	ctx, cancel := context.WithCancel(session)
	id := string(m.ID)
	if id != "" {
		b.mu.Lock()
		b.open[id] = cancel
		b.mu.Unlock()
	}
	send := func() {
		defer cancel()
		b.post(ctx, m)
		if id != "" {
			b.mu.Lock()
			delete(b.open, id)
			b.mu.Unlock()
		}
		if m.Method == "notifications/initialized" {
			b.hears.Do(func() { b.held.Go(func() { b.listen(session) }) })
		}
	}
	if m.Method == "subscriptions/listen" {
		b.held.Go(send)
		return
	}
	b.requests.Go(send)
}

func (b *bridge) cancel(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if cancel := b.open[id]; cancel != nil {
		cancel()
	}
}
