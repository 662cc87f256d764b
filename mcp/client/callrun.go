package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// call is one call under way.
type call struct {
	pool       *Pool
	what       string // the tool, or in words what else is asked for
	tool       string // "" when it is no tool's
	malformed  string // why it cannot be sent at all
	again      bool   // it may be sent twice
	onProgress func(Progress)
	send       func(context.Context, *link) error

	link *link
	life *life
	raw  *rawResult
}

var errCallTimeout = errors.New("the call's time is up")

// do makes the call, and makes it once more when the server had forgotten its
// session and there is a new one, provided that it has not taken effect or
// may do so twice.
func (c *call) do(ctx context.Context, key Key) (*Result, error) {
	s := c.pool.find(key)
	if s == nil {
		return nil, &CallError{Fault: NoServer, Server: key.Server, Tool: c.tool, Says: "No such server is running here.", Cause: errNoInstance}
	}
	if c.malformed != "" {
		return nil, &CallError{Fault: Malformed, Server: s.name(), Tool: c.tool, Says: c.malformed}
	}
	done, err := c.take(ctx, s, nil)
	if err != nil {
		return nil, err
	}
	result, err := c.run(ctx)
	done()
	if err == nil {
		return result, nil
	}
	e, first := err.(*CallError), c.link
	if _, lost := errors.AsType[lostSession](first.conn.failure()); !lost || e.Fault != Lost || e.Reached && !c.again && !first.facts(c.tool).again {
		return nil, err
	}
	if done, err = c.take(ctx, s, first); err != nil {
		return nil, e // what happened to the call itself is the better answer
	}
	defer done()
	return c.run(ctx)
}

// take finds the link to call over: one that is there, or, after another, the
// one that follows it. It counts as a use until done.
func (c *call) take(ctx context.Context, s *supervisor, after *link) (done func(), err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	disarm := func() bool { return true }
	defer func() { disarm() }()
	for waiting := false; ; {
		use := s.use(after, waiting)
		if use.link != nil {
			c.link, c.life = use.link, use.life
			return s.done, nil
		}
		if !use.wait {
			return nil, s.down(use.report, c.tool)
		}
		if !waiting {
			waiting = true
			disarm = c.pool.clock.AfterFunc(use.limit, func() { cancel(errCallTimeout) })
		}
		select {
		case <-use.moved:
		case <-ctx.Done():
			if errors.Is(context.Cause(ctx), errCallTimeout) {
				return nil, s.down(use.report, c.tool)
			}
			return nil, &CallError{Fault: Cancelled, Server: use.report.Name, Tool: c.tool, Says: fmt.Sprintf("The call of %s was cancelled.", c.what)}
		}
	}
}

func (c *call) run(ctx context.Context) (*Result, error) {
	clock, limit := c.pool.clock, c.link.spec.callTimeout()
	began := clock.Now()
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer clock.AfterFunc(limit, func() { cancel(errCallTimeout) })()
	defer context.AfterFunc(c.life.ctx, func() { cancel(errStopped) })()
	inner, c.raw = withRaw(inner)
	defer c.link.conn.results().forget(c.raw)

	if err := c.send(inner, c.link); err != nil {
		return nil, c.explain(inner, err)
	}
	result, err := c.read()
	if err != nil {
		return nil, err
	}
	result.Took = clock.Now().Sub(began)
	result.AskedForInput = c.raw.asked.Load()
	return result, nil
}

// read takes the raw result apart.
func (c *call) read() (*Result, error) {
	if size := len(c.raw.text); size > MaxResult {
		return nil, c.tooLarge(fmt.Sprintf("%d bytes", size))
	}
	if size, found := bytesAsText(c.raw.text); found {
		e := c.failed(Malformed, "The result of %s holds a text that is really bytes, %d of them; ask for it as a resource or an image.", c.what, size)
		e.Reached = true
		return nil, e
	}
	r := &Result{Raw: c.link.redact.raw(stripControl(c.raw.text))}
	var parts struct {
		Content    json.RawMessage `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
	}
	if err := json.Unmarshal(r.Raw, &parts); err != nil {
		e := c.failed(Malformed, "The answer of %s cannot be read: %v.", c.what, err)
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

func (c *call) tooLarge(size string) *CallError {
	e := c.failed(TooLarge, "The result of %s is %s, over the limit of %d MiB; ask for less at once.", c.what, size, MaxResult>>20)
	e.Reached = true
	return e
}

// explain turns the SDK's error into ours.
func (c *call) explain(ctx context.Context, err error) *CallError {
	e := c.ended(context.Cause(ctx))
	if e == nil {
		e = c.wentWrong(err)
	}
	e.Cause, e.Reached = errors.New(c.link.redact.line(err.Error())), c.raw.reached.Load()
	return e
}

// ended is a call that came to an end from our side.
func (c *call) ended(cause error) *CallError {
	server := c.link.called.name()
	switch {
	case cause == nil:
		return nil
	case errors.Is(cause, errCallTimeout):
		return c.failed(TimedOut, "%s did not finish %s within %s.", server, c.what, inWords(c.link.spec.callTimeout()))
	case errors.Is(cause, errStopped):
		return c.failed(Lost, "%s was stopped while %s ran.", server, c.what)
	}
	return c.failed(Cancelled, "The call of %s was cancelled.", c.what)
}

// wentWrong is a call that the server, or the way to it, ended.
func (c *call) wentWrong(err error) *CallError {
	server := c.link.called.name()
	if wire, ok := errors.AsType[*jsonrpc.Error](err); ok {
		e := c.failed(Rejected, "%s refused %s: %s (code %d).", server, c.what, oneLine(c.link.redact.line(wire.Message)), wire.Code)
		e.Code, e.Data = wire.Code, c.link.redact.raw(stripControl(wire.Data))
		return e
	}
	said, ok := errors.AsType[*answered](err)
	switch {
	case ok && errors.Is(err, errBrokeOff):
		return c.failed(said.fault(), "%s broke off its answer to %s, and would not go on with it: %v.", server, c.what, said)
	case ok:
		return c.said(said)
	}
	away, isAway := errors.AsType[unreachable](err)
	switch {
	case errors.Is(err, errFrameTooLarge):
		return c.tooLarge(fmt.Sprintf("over %d MiB", maxFrame>>20))
	case isAway:
		return c.failed(Lost, "%s could not be asked for %s: %v.", server, c.what, away)
	case errors.Is(err, errBrokeOff):
		return c.failed(Lost, "%s broke off its answer to %s.", server, c.what)
	case broken(err) || isLost(err):
		return c.lost()
	}
	return c.failed(Malformed, "The call of %s failed: %s", c.what, sentence(err))
}

// lost is a call whose server is gone.
func (c *call) lost() *CallError {
	if c.life.ctx.Err() != nil {
		return c.ended(errStopped) // its end was seen before we were told that it is ours
	}
	return c.failed(Lost, "%s went down while %s ran: %v.", c.link.called.name(), c.what, c.link.demise())
}

func isLost(err error) bool {
	_, lost := errors.AsType[lostSession](err)
	return lost
}

// said is a call that was answered with an error of HTTP.
func (c *call) said(said *answered) *CallError {
	e := c.failed(said.fault(), "%s did not take the call of %s: %v.", c.link.called.name(), c.what, said)
	e.RetryAt = said.retryAt
	if !e.RetryAt.IsZero() {
		wait := e.RetryAt.Sub(c.pool.clock.Now()).Round(time.Second)
		e.Says = fmt.Sprintf("%s Ask again in %s.", e.Says, inWords(wait))
	}
	return e
}

func (c *call) failed(fault Fault, format string, values ...any) *CallError {
	says := c.link.redact.line(fmt.Sprintf(format, values...))
	return &CallError{Fault: fault, Server: c.link.called.name(), Tool: c.tool, Says: says}
}
