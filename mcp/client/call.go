package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// MaxResult is the largest result handed on, in bytes of its JSON.
const MaxResult = 32 << 20

// Result is what a tool answered, with secrets redacted and nothing else
// changed. An answer that says it is an error is a result too.
type Result struct {
	Raw        json.RawMessage // the whole result object
	Content    json.RawMessage // its content blocks, as an array; nil when absent
	Structured json.RawMessage // its structuredContent; nil when absent
	IsError    bool
	Took       time.Duration
}

// Call calls a tool of an instance with a JSON object of arguments (nil for
// none). Without a result the error is a *[CallError]. Calls run side by
// side; callers never wait for each other.
func (p *Pool) Call(ctx context.Context, key Key, tool string, args json.RawMessage) (*Result, error) {
	s := p.find(key)
	if s == nil {
		return nil, &CallError{Fault: NoServer, Server: key.Server, Tool: tool, Says: "No such server is running here.", Cause: errNoInstance}
	}
	s.mu.Lock()
	l, living, report := s.link, s.living, s.report
	s.mu.Unlock()
	c := &call{pool: p, link: l, life: living, tool: tool}
	if l == nil {
		return nil, s.down(report, tool)
	}
	if len(args) == 0 {
		args = json.RawMessage(`{}`)
	}
	if trimmed := bytes.TrimSpace(args); !json.Valid(args) || trimmed[0] != '{' {
		return nil, c.failed(Malformed, "The arguments of %s must be a JSON object.", tool)
	}
	return c.run(ctx, args)
}

// call is one call under way.
type call struct {
	pool *Pool
	link *link
	life *life
	tool string
	raw  *rawResult
}

var errCallTimeout = errors.New("the call's time is up")

func (c *call) run(ctx context.Context, args json.RawMessage) (*Result, error) {
	clock, limit := c.pool.clock, c.link.spec.callTimeout()
	began := clock.Now()
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer clock.AfterFunc(limit, func() { cancel(errCallTimeout) })()
	defer context.AfterFunc(c.life.ctx, func() { cancel(errStopped) })()
	inner, c.raw = withRaw(inner)
	defer c.link.conn.tap.forget(c.raw)

	_, err := c.link.session.CallTool(inner, &mcp.CallToolParams{Name: c.tool, Arguments: args})
	if err != nil {
		return nil, c.explain(inner, err)
	}
	result, err := c.read()
	if err != nil {
		return nil, err
	}
	result.Took = clock.Now().Sub(began)
	return result, nil
}

// read takes the raw result apart.
func (c *call) read() (*Result, error) {
	if len(c.raw.text) > MaxResult {
		e := c.failed(TooLarge, "The result of %s is %d bytes, over the limit of %d MiB; ask for less at once.",
			c.tool, len(c.raw.text), MaxResult>>20)
		e.Reached = true
		return nil, e
	}
	r := &Result{Raw: c.link.redact.raw(c.raw.text)}
	var parts struct {
		Content    json.RawMessage `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
	}
	if err := json.Unmarshal(r.Raw, &parts); err != nil {
		e := c.failed(Malformed, "The answer of %s cannot be read: %v.", c.tool, err)
		e.Reached = true
		return nil, e
	}
	if present(parts.Content) {
		r.Content = parts.Content
	}
	if present(parts.Structured) {
		r.Structured = parts.Structured
	}
	r.IsError = parts.IsError
	return r, nil
}

// explain turns the SDK's error into ours.
func (c *call) explain(ctx context.Context, err error) *CallError {
	server := c.link.spec.Name
	e := &CallError{}
	wire, isWire := errors.AsType[*jsonrpc.Error](err)
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errCallTimeout):
		e = c.failed(TimedOut, "%s did not finish %s within %s.", server, c.tool, c.link.spec.callTimeout())
	case errors.Is(cause, errStopped):
		e = c.failed(Lost, "%s was stopped while %s ran.", server, c.tool)
	case cause != nil:
		e = c.failed(Cancelled, "The call of %s was cancelled.", c.tool)
	case broken(err):
		e = c.failed(Lost, "%s went down while %s ran: %v.", server, c.tool, c.link.demise())
	case isWire:
		e = c.failed(Rejected, "%s refused %s: %s (code %d).", server, c.tool, oneLine(wire.Message), wire.Code)
		e.Code, e.Data = wire.Code, c.link.redact.raw(wire.Data)
	default:
		e = c.failed(Malformed, "The call of %s failed: %s", c.tool, sentence(err))
	}
	e.Cause, e.Reached = errors.New(c.link.redact.line(err.Error())), c.raw.reached
	return e
}

func (c *call) failed(fault Fault, format string, values ...any) *CallError {
	says := c.link.redact.line(fmt.Sprintf(format, values...))
	return &CallError{Fault: fault, Server: c.link.spec.Name, Tool: c.tool, Says: says}
}
