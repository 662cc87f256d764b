package client

import (
	"context"
	"fmt"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessionless is the first version of the newer era.
const sessionless = "2026-07-28"

// streamable carries messages over Streamable HTTP, in both eras. It is ours
// and not the SDK's because results must be taken out raw, an answer can be
// large, a lost session must be told from an error, and every wait must be on
// the given clock.
//
// Each request is a POST of its own, so requests never wait for each other.
type streamable struct {
	remote
	// params tells which arguments of a tool are also sent as headers.
	params func(tool string) []paramHeader
	// stream is told when a stream for notices has opened again, or late:
	// what came before was not heard.
	stream func()

	// Guarded by remote.mu.
	probing bool
	refused error  // what the probe was answered
	session string // the older era's
	version string // of the protocol, once agreed
	proven  bool   // this session has answered a request
}

var _ wire = (*streamable)(nil)

func newStreamable(spec Spec, clock Clock, version string) (*streamable, error) {
	c := &streamable{params: func(string) []paramHeader { return nil }, stream: func() {}}
	if err := c.start(spec, clock, version); err != nil {
		return nil, err
	}
	return c, nil
}

// Connect is the connection itself.
func (c *streamable) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID is what the server gave, "" in the newer era.
func (c *streamable) SessionID() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session
}

// Write sends one message. What expects an answer is sent in the background
// and fails, if it does, as that answer.
func (c *streamable) Write(ctx context.Context, msg jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encode a message: %w", err)
	}
	p := &post{c: c, ctx: ctx, text: text}
	p.req, _ = msg.(*jsonrpc.Request)
	if p.req == nil {
		return p.unwaited()
	}
	switch p.req.Method {
	case "initialize":
		if c.isProbing() {
			return c.probeRefused()
		}
	case "notifications/initialized":
		if err := p.notice(); err != nil {
			return err
		}
		return c.listening(ctx, c.listen)
	case "notifications/cancelled":
		if c.modern() {
			return nil // there the end of the request's own POST says it
		}
	case listenMethod:
		return c.listening(context.WithoutCancel(ctx), func(o *opening) {
			p.opening = o
			p.call()
		})
	}
	if !p.req.IsCall() {
		return p.unwaited()
	}
	c.tap.sent(ctx, msg)
	return c.begin(p.call)
}

func (c *streamable) probe() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.probing = true
}

// probeRefused is why the probe came to nothing.
func (c *streamable) probeRefused() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.refused != nil {
		return c.refused
	}
	return errProbeRefused
}

func (c *streamable) isProbing() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.probing
}

// modern reports that the newer era was agreed on.
func (c *streamable) modern() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version >= sessionless
}

// do makes one HTTP request with the headers of the protocol.
func (c *streamable) do(ctx context.Context, method string, body []byte, headers map[string]string) (*http.Response, error) {
	all := http.Header{}
	c.mu.Lock()
	if c.session != "" {
		all.Set("Mcp-Session-Id", c.session)
	}
	if c.version != "" {
		all.Set("Mcp-Protocol-Version", c.version)
	}
	c.mu.Unlock()
	for name, value := range headers {
		all.Set(name, value)
	}
	return c.request(ctx, method, c.url.String(), body, all)
}

// goodbye ends the session at the server, if there is one and it is known.
func (c *streamable) goodbye(_ Clock, hurry <-chan struct{}) {
	if c.SessionID() == "" || c.failure() != nil {
		return
	}
	ctx, end := c.bound(context.Background(), goodbyeTimeout)
	defer end()
	ctx, cancel := context.WithCancel(ctx)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		if resp, err := c.do(ctx, http.MethodDelete, nil, nil); err == nil {
			_ = resp.Body.Close() // whatever it says, we are gone
		}
	}()
	select {
	case <-gone:
	case <-hurry:
	}
	cancel()
	<-gone
}
