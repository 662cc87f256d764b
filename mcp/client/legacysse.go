package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// legacySSE carries messages over the transport of 2024-11-05: one stream of
// events from the server, whose first names the address that messages are
// posted to. The stream is the session: it ends with it.
type legacySSE struct {
	remote
	messages string // the address to post to
	body     io.Closer
}

var _ wire = (*legacySSE)(nil)

func newLegacySSE(spec Spec, clock Clock, version string) (*legacySSE, error) {
	c := &legacySSE{}
	if err := c.start(spec, clock, version); err != nil {
		return nil, err
	}
	return c, nil
}

// Connect opens the stream and waits for the address to post to.
func (c *legacySSE) Connect(ctx context.Context) (mcp.Connection, error) {
	// The stream outlives the start; what ends the start closes the whole.
	resp, err := c.request(c.ctx, http.MethodGet, c.url.String(), nil, http.Header{"Accept": {"text/event-stream"}})
	if err != nil {
		return nil, err
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if resp.StatusCode != http.StatusOK || kind != "text/event-stream" {
		head, _ := io.ReadAll(io.LimitReader(resp.Body, headBytes)) // only to be shown
		_ = resp.Body.Close()
		if resp.StatusCode == http.StatusOK {
			return nil, errors.New("its answer is no stream of events; it may speak Streamable HTTP: transport http")
		}
		return nil, readAnswered(resp, head, c.clock.Now())
	}
	s := newSSE(resp.Body)
	if err := c.findAddress(s); err != nil {
		_ = resp.Body.Close()
		return nil, err
	}
	c.body = resp.Body
	return c, c.begin(func() { c.pump(s) })
}

// findAddress reads on to the event that names the address.
func (c *legacySSE) findAddress(s *sseReader) error {
	for {
		e, err := s.next()
		if err != nil {
			return errors.New("it ended its stream before it named an address to post to")
		}
		if e.name != "endpoint" {
			continue
		}
		to, err := c.url.Parse(string(bytes.TrimSpace(e.data)))
		if err != nil {
			return errors.New("the address it names to post to cannot be read")
		}
		if !sameOrigin(to, c.url) {
			return strayed(fmt.Sprintf("it names an address to post to at %s://%s, which is another server", to.Scheme, to.Host))
		}
		c.messages = to.String()
		return nil
	}
}

// pump delivers what the stream holds. Its end is the session's: calls that
// wait for an answer fail.
func (c *legacySSE) pump(s *sseReader) {
	defer func() { _ = c.body.Close() }()
	for {
		e, err := s.next()
		if errors.Is(err, errFrameTooLarge) {
			c.fail(errFrameTooLarge)
			return
		}
		if err != nil {
			c.fail(errStreamEnded)
			return
		}
		if e.name != "" && e.name != "message" {
			continue
		}
		for _, msg := range messages(bytes.TrimSpace(e.data)) {
			if !c.deliver(msg) {
				return
			}
		}
	}
}

// Write posts one message. The answer to a request comes by the stream; a
// POST that fails is the answer itself.
func (c *legacySSE) Write(ctx context.Context, msg jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encode a message: %w", err)
	}
	c.tap.sent(ctx, msg)
	req, ok := msg.(*jsonrpc.Request)
	switch {
	case ok && req.IsCall():
		return c.begin(func() {
			if err := c.post(traced(ctx), text); err != nil && ctx.Err() == nil {
				c.deliver(&jsonrpc.Response{ID: req.ID, Error: err})
			}
		})
	case ok && req.Method == "notifications/initialized":
		return c.post(ctx, text) // nothing may overtake it
	}
	return c.begin(func() { _ = c.post(context.WithoutCancel(ctx), text) })
}

func (c *legacySSE) post(ctx context.Context, text []byte) error {
	ctx, end := c.bound(ctx, noticeTimeout)
	defer end()
	resp, err := c.request(ctx, http.MethodPost, c.messages, text, http.Header{"Content-Type": {"application/json"}})
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode >= 200 && resp.StatusCode < 300 {
		return nil
	}
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<20)) // what came of it is enough
	if resp.StatusCode == http.StatusNotFound {
		if raw, ok := ctx.Value(rawKey{}).(*rawResult); ok {
			raw.reached.Store(false) // whoever does not know the session did not act for it
		}
		c.fail(errForgotten)
		return errForgotten
	}
	return readAnswered(resp, body, c.clock.Now())
}

// SessionID is empty: the stream is the session.
func (c *legacySSE) SessionID() string { return "" }

// probe does nothing: this transport is older than the newer era, which is
// never tried on it.
func (c *legacySSE) probe() {}

// goodbye does nothing: closing the stream says it.
func (c *legacySSE) goodbye(Clock, <-chan struct{}) {}
