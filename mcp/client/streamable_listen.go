package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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
	said := readAnswered(resp, head, c.clock.Now())
	if resp.StatusCode >= 500 || said.settled() {
		return nil, said
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

// resume takes up a broken answer behind its last event. A server that refuses
// the credential for it says more than that it broke off.
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
		if said := unwelcome(err); said != nil {
			return nil, fmt.Errorf("%w, and would not go on with it: %w", errBrokeOff, said)
		}
	}
	return nil, errBrokeOff
}

// listenWait is how long a session's first request waits for the stream of
// notices to open. What a server sends before, it may drop.
const listenWait = 2 * time.Second

// opening is the first try to open a stream of notices.
type opening struct {
	tried chan struct{} // closed when it has come to something or to nothing
	late  chan struct{} // closed when nobody waits for it any more
	tell  func()
}

func newOpening() *opening {
	o := &opening{tried: make(chan struct{}), late: make(chan struct{})}
	o.tell = sync.OnceFunc(func() { close(o.tried) })
	return o
}

// missed reports whether something may have been said before it was open.
func (o *opening) missed() bool {
	select {
	case <-o.late:
		return true
	default:
		return false
	}
}

// listening begins to listen and returns once the stream is open, or is not
// going to be.
func (c *streamable) listening(ctx context.Context, listen func(*opening)) error {
	o := newOpening()
	err := c.begin(func() {
		defer o.tell()
		listen(o)
	})
	if err != nil {
		return err
	}
	disarm := c.clock.AfterFunc(listenWait, func() { close(o.late) })
	defer disarm()
	select {
	case <-o.tried:
	case <-o.late:
	case <-c.ctx.Done():
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// listen holds the older era's stream of notices open until the connection
// ends. A server that has none, or wants none now, is left alone.
func (c *streamable) listen(o *opening) {
	lastID, retry := "", time.Duration(0)
	for tries, again := 1, false; ; tries++ {
		body, err := c.open(c.ctx, lastID)
		o.tell()
		if body == nil && err == nil || unwelcome(err) != nil || c.ctx.Err() != nil {
			return
		}
		if body != nil {
			if lastID == "" && (again || o.missed()) {
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
		p.opening.tell()
		if err == nil {
			if tries > 1 || p.opening.missed() {
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
