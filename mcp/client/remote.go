package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// The limits of HTTP that no spec names.
const (
	noticeTimeout  = 30 * time.Second // for a message without an answer, and for a stream to open
	goodbyeTimeout = 5 * time.Second
)

// remote is what both forms of HTTP have in common: requests and streams that
// run beside each other and end with the connection, and the messages that
// come of them.
type remote struct {
	url   *url.URL
	http  *http.Client
	clock Clock
	tap   tap
	// doubt is told of a request that could not be delivered.
	doubt func()

	incoming chan jsonrpc.Message
	ctx      context.Context // ends with the connection
	cancel   context.CancelFunc

	mu     sync.Mutex // guards what follows, and that work only grows while open
	work   sync.WaitGroup
	closed bool
	cause  error
}

// start makes an empty remote ready; version is ours.
func (c *remote) start(spec Spec, clock Clock, version string) error {
	to, err := endpoint(spec)
	if err != nil {
		return err
	}
	if c.http, err = newCarrier(spec, to, version); err != nil {
		return err
	}
	c.url, c.clock, c.doubt = to, clock, func() {}
	c.incoming = make(chan jsonrpc.Message)
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return nil
}

// Read returns the next message of any stream.
func (c *remote) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-c.incoming:
		c.tap.received(msg)
		return msg, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.ctx.Done():
		return nil, io.EOF
	}
}

// deliver hands a message to Read. It reports false once nobody reads.
func (c *remote) deliver(msg jsonrpc.Message) bool {
	select {
	case c.incoming <- msg:
		return true
	case <-c.ctx.Done():
		return false
	}
}

// begin runs work that ends with the connection.
func (c *remote) begin(work func()) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return io.ErrClosedPipe
	}
	c.work.Go(work)
	return nil
}

// bound is a context that ends with ctx, with the connection, and after limit
// unless that is 0.
func (c *remote) bound(ctx context.Context, limit time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	unhook := context.AfterFunc(c.ctx, func() { cancel(io.ErrClosedPipe) })
	disarm := func() bool { return true }
	if limit > 0 {
		disarm = c.clock.AfterFunc(limit, func() { cancel(unanswered{limit}) })
	}
	return ctx, func() {
		disarm()
		unhook()
		cancel(nil)
	}
}

// unanswered is a request that got no answer in time.
type unanswered struct{ limit time.Duration }

func (e unanswered) Error() string {
	return fmt.Sprintf("it did not answer within %s", inWords(e.limit))
}

// request makes one HTTP request. Credentials are added below it. A server
// that cannot be reached is also told to doubt.
func (c *remote) request(ctx context.Context, method, to string, body []byte, headers http.Header) (*http.Response, error) {
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	r, err := http.NewRequestWithContext(ctx, method, to, reader)
	if err != nil {
		return nil, err
	}
	r.Header = headers
	resp, err := c.http.Do(r)
	if err == nil {
		return resp, nil
	}
	if resp != nil {
		_ = resp.Body.Close() // a redirect that was not followed
	}
	err = unreached(ctx, err)
	if _, ok := errors.AsType[unreachable](err); ok && method == http.MethodPost {
		c.doubt()
	}
	return nil, err
}

// traced notes on a call's raw result when the call is on its way.
func traced(ctx context.Context) context.Context {
	raw, ok := ctx.Value(rawKey{}).(*rawResult)
	if !ok {
		return ctx
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { raw.reached.Store(true) }})
}

// pause waits on the clock, or until the context ends.
func (c *remote) pause(ctx context.Context, d time.Duration) error {
	due := make(chan struct{})
	disarm := c.clock.AfterFunc(d, func() { close(due) })
	defer disarm()
	select {
	case <-due:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (c *remote) results() *tap { return &c.tap }

func (c *remote) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cause
}

// fail ends the connection and keeps the reason.
func (c *remote) fail(cause error) {
	c.mu.Lock()
	if c.cause == nil && !c.closed {
		c.cause = cause
	}
	c.mu.Unlock()
	_ = c.Close()
}

// Close ends every request and stream. It may be called more than once.
func (c *remote) Close() error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.cancel()
	return nil
}

func (c *remote) finish() {
	c.work.Wait()
	c.http.CloseIdleConnections()
}
