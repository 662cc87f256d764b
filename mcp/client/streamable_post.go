package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// post is one message on its way to the server.
type post struct {
	c    *streamable
	ctx  context.Context
	text []byte
	req  *jsonrpc.Request // nil for an answer of ours

	opening *opening // of listenMethod
}

// send posts the message and returns an answer that is no error.
func (p *post) send(ctx context.Context) (*http.Response, error) {
	headers := map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
	if p.req != nil {
		p.describe(headers)
	}
	if p.req != nil && p.req.IsCall() {
		ctx = traced(ctx)
	}
	resp, err := p.c.do(ctx, http.MethodPost, p.text, headers)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode >= 200 && resp.StatusCode < 300 {
		return resp, nil
	}
	defer func() { _ = resp.Body.Close() }()
	return nil, p.refusal(ctx, resp)
}

// refusal reads an answer that is an error: of the request or of the session.
// A credential that is refused is the request's own affair: what was asked
// decides whether it is the server's end too.
func (p *post) refusal(ctx context.Context, resp *http.Response) error {
	c := p.c
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<20)) // what came of it is enough
	said := readAnswered(resp, body, c.clock.Now())
	wire := wireError(body)
	switch {
	case c.forgotten(resp.StatusCode, wire):
		if raw, ok := ctx.Value(rawKey{}).(*rawResult); ok && resp.StatusCode == http.StatusNotFound {
			raw.reached.Store(false) // whoever does not know the session did not act for it
		}
		c.fail(errForgotten)
		return errForgotten
	case wire != nil && !said.settled():
		return wire
	}
	return said
}

// forgotten reports whether an answer says that the session is gone: 404, as
// the protocol has it, or 400 where requests have succeeded before.
func (c *streamable) forgotten(status int, wire *jsonrpc.Error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session == "" || c.version >= sessionless {
		return false
	}
	return status == http.StatusNotFound || c.proven && status == http.StatusBadRequest && !ofRequest(wire)
}

// wireError is the JSON-RPC error in a body, or nil.
func wireError(body []byte) *jsonrpc.Error {
	var answer struct {
		Error *jsonrpc.Error `json:"error"`
	}
	if json.Unmarshal(body, &answer) != nil || answer.Error == nil || answer.Error.Code == 0 {
		return nil
	}
	return answer.Error
}

// ofRequest reports that a JSON-RPC error is about what was asked: its code is
// one JSON-RPC itself defines. The codes servers choose for themselves are
// what they say "no such session" with.
func ofRequest(wire *jsonrpc.Error) bool {
	return wire != nil && wire.Code >= -32700 && wire.Code <= -32600
}

// notice sends a message that has no answer.
func (p *post) notice() error {
	ctx, end := p.c.bound(p.ctx, noticeTimeout)
	defer end()
	resp, err := p.send(ctx)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// unwaited sends a message that nobody waits for.
func (p *post) unwaited() error {
	p.ctx = context.WithoutCancel(p.ctx)
	return p.c.begin(func() { _ = p.notice() })
}

// call sends a request and delivers its answer, or the reason there is none
// as the answer.
func (p *post) call() {
	ctx, end := p.c.bound(p.ctx, 0)
	defer end()
	if err := p.ask(ctx); err != nil && p.ctx.Err() == nil {
		if p.req.Method == "server/discover" {
			p.c.mu.Lock()
			p.c.refused = err
			p.c.mu.Unlock()
		}
		p.c.deliver(&jsonrpc.Response{ID: p.req.ID, Error: err})
	}
}

func (p *post) ask(ctx context.Context) error {
	if p.req.Method == listenMethod {
		return p.subscribe(ctx)
	}
	resp, err := p.send(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if id := resp.Header.Get("Mcp-Session-Id"); id != "" && p.req.Method == "initialize" {
		p.c.mu.Lock()
		p.c.session = id
		p.c.mu.Unlock()
	}
	switch kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind {
	case "application/json":
		return p.whole(resp.Body)
	case "text/event-stream":
		return p.follow(ctx, resp.Body)
	}
	if resp.StatusCode == http.StatusAccepted || resp.StatusCode == http.StatusNoContent {
		return errNoAnswer
	}
	return &answered{status: resp.StatusCode, head: "its content type is neither application/json nor text/event-stream"}
}

// whole reads an answer that is one JSON document.
func (p *post) whole(r io.Reader) error {
	body, err := readLimited(r)
	if err != nil {
		return err
	}
	body = bytes.TrimSpace(bytes.TrimPrefix(body, byteOrderMark))
	if len(body) == 0 {
		return errNoAnswer
	}
	done := false
	for _, msg := range messages(body) {
		done = p.take(msg) || done
	}
	if !done {
		return errNoAnswer
	}
	return nil
}

// take delivers a message and reports whether it is the answer.
func (p *post) take(msg jsonrpc.Message) bool {
	resp, ok := msg.(*jsonrpc.Response)
	if !ok {
		p.c.deliver(msg)
		return false
	}
	if resp.ID != p.req.ID {
		return false // nobody here asked for it
	}
	p.learn(resp)
	p.c.deliver(msg)
	return true
}

// learn notes what an answer says of the session.
func (p *post) learn(resp *jsonrpc.Response) {
	if resp.Error != nil {
		return
	}
	var of struct {
		Version string `json:"protocolVersion"`
	}
	if p.req.Method == "initialize" {
		_ = json.Unmarshal(resp.Result, &of) // the SDK judges it
	}
	p.c.mu.Lock()
	defer p.c.mu.Unlock()
	if of.Version != "" {
		p.c.version = of.Version
	} else if p.req.Method != "initialize" {
		p.c.proven = true
	}
}

// follow reads a stream until the answer has come, and takes it up again
// where it broke off when the server can.
func (p *post) follow(ctx context.Context, body io.Reader) error {
	tries := 0
	s := newSSE(body)
	for {
		done, progress, err := p.events(s)
		switch {
		case done:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, errFrameTooLarge):
			return err
		case s.lastID == "" || p.c.modern():
			return errBrokeOff
		}
		if tries++; progress {
			tries = 1
		}
		if tries > maxResumes {
			return errBrokeOff
		}
		next, err := p.c.resume(ctx, s, tries)
		if err != nil {
			return err
		}
		defer func() { _ = next.Close() }() // few, and each ends with the call
		s = &sseReader{r: newSSE(next).r, limit: maxFrame, lastID: s.lastID, retry: s.retry}
	}
}

// events delivers what a stream holds, up to the answer.
func (p *post) events(s *sseReader) (done, progress bool, err error) {
	for first := s.lastID; ; {
		e, err := s.next()
		progress = s.lastID != first
		if err != nil {
			return false, progress, err
		}
		if e.name != "" && e.name != "message" {
			continue
		}
		for _, msg := range messages(bytes.TrimSpace(e.data)) {
			done = p.take(msg) || done
		}
		if done {
			return true, true, nil
		}
	}
}

// maxResumes is how often in a row a stream may break off without a message.
const maxResumes = 5
