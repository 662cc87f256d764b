package client

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// listenMethod holds the newer era's stream of notices.
const listenMethod = "subscriptions/listen"

// How long a stream that ended stays closed, when the server does not say.
const (
	firstReopen   = time.Second
	longestReopen = time.Minute
)

func reopenAfter(asked time.Duration, tries int) time.Duration {
	if asked > 0 {
		return min(asked, longestReopen)
	}
	wait := firstReopen
	for i := 1; i < tries && wait < longestReopen; i++ {
		wait *= 2
	}
	return min(wait, longestReopen)
}

// open asks for a stream by GET. It is nil, without an error, when the server
// has none to give.
func (c *streamable) open(ctx context.Context, lastID string) (io.ReadCloser, error) {
	headers := map[string]string{"Accept": "text/event-stream"}
	if lastID != "" {
		headers["Last-Event-ID"] = lastID
	}
	opening, end := context.WithCancelCause(ctx)
	disarm := c.clock.AfterFunc(noticeTimeout, func() { end(unanswered{noticeTimeout}) })
	resp, err := c.do(opening, http.MethodGet, nil, headers)
	disarm()
	if err != nil {
		end(nil)
		return nil, err
	}
	body := closing{resp.Body, func() { end(nil) }}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if resp.StatusCode == http.StatusOK && kind == "text/event-stream" {
		return body, nil
	}
	head, _ := io.ReadAll(io.LimitReader(resp.Body, headBytes)) // only to be shown
	_ = body.Close()
	if resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests {
		return nil, readAnswered(resp, head, c.clock.Now())
	}
	return nil, nil
}

// closing is a body whose request ends with it.
type closing struct {
	io.ReadCloser
	end func()
}

func (b closing) Close() error {
	b.end()
	return b.ReadCloser.Close()
}

// resume takes up a broken answer behind its last event.
func (c *streamable) resume(ctx context.Context, s *sseReader, tries int) (io.ReadCloser, error) {
	for ; tries <= maxResumes; tries++ {
		if err := c.pause(ctx, reopenAfter(s.retry, tries)); err != nil {
			return nil, err
		}
		body, err := c.open(ctx, s.lastID)
		if body != nil {
			return body, nil
		}
		if err == nil {
			break // it keeps no streams
		}
	}
	return nil, errBrokeOff
}

// listenWait is how long a session's first request waits for the stream of
// notices to open. Servers send what they ask during a call there, and drop
// it when there is no stream yet.
const listenWait = 2 * time.Second

// beginToListen returns once the stream is open, or is not going to be.
func (c *streamable) beginToListen(ctx context.Context) error {
	opened, late := make(chan struct{}), make(chan struct{})
	if err := c.begin(func() { c.listen(opened, late) }); err != nil {
		return err
	}
	disarm := c.clock.AfterFunc(listenWait, func() { close(late) })
	defer disarm()
	select {
	case <-opened:
	case <-late:
	case <-c.ctx.Done():
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// listen holds the older era's stream of notices open until the connection
// ends. A server that has none, or wants none now, is left alone.
func (c *streamable) listen(opened chan<- struct{}, late <-chan struct{}) {
	tell := sync.OnceFunc(func() { close(opened) })
	defer tell()
	lastID, retry := "", time.Duration(0)
	for tries, again := 1, false; ; tries++ {
		body, err := c.open(c.ctx, lastID)
		tell()
		if body == nil && err == nil || c.ctx.Err() != nil {
			return
		}
		if body != nil {
			select {
			case <-late:
				again = true
			default:
			}
			if again && lastID == "" {
				c.stream()
			}
			s := newSSE(body)
			s.lastID, s.retry = lastID, retry
			if c.drainStream(s) {
				tries = 1
			}
			lastID, retry = s.lastID, s.retry
			_ = body.Close()
		}
		again = true
		if c.pause(c.ctx, reopenAfter(retry, tries)) != nil {
			return
		}
	}
}

// drainStream delivers what a stream of notices holds, to its end, and
// reports whether there was anything.
func (c *streamable) drainStream(s *sseReader) (any bool) {
	for {
		e, err := s.next()
		if err != nil {
			return any
		}
		any = true
		for _, msg := range messages(bytes.TrimSpace(e.data)) {
			if !c.deliver(msg) {
				return any
			}
		}
	}
}

// subscribe holds the newer era's stream of notices open, which is a request
// that is asked again whenever its answer ends.
func (p *post) subscribe(ctx context.Context) error {
	for tries := 1; ; tries++ {
		resp, err := p.send(ctx)
		if err == nil {
			if tries > 1 {
				p.c.stream()
			}
			err = p.hear(resp)
		}
		if said, ok := errors.AsType[*answered](err); ok && said.status < 500 && said.status != http.StatusTooManyRequests {
			return err
		}
		if _, no := errors.AsType[*jsonrpc.Error](err); no {
			return err
		}
		if ctx.Err() != nil || p.c.pause(ctx, reopenAfter(0, tries)) != nil {
			return context.Cause(ctx)
		}
	}
}

func (p *post) hear(resp *http.Response) error {
	defer func() { _ = resp.Body.Close() }()
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind != "text/event-stream" {
		return &answered{status: resp.StatusCode}
	}
	p.c.drainStream(newSSE(resp.Body))
	return nil
}
