package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// MaxResult is the largest result handed on, in bytes of its JSON.
const MaxResult = 32 << 20

// Result is what a server answered: control characters taken out, secrets
// redacted, and nothing else changed. An answer that says it is an error is a
// result too.
type Result struct {
	Raw        json.RawMessage // the whole result object
	Content    json.RawMessage // a tool's content blocks, as an array; nil when absent
	Structured json.RawMessage // a tool's structuredContent; nil when absent
	IsError    bool
	// AskedForInput says that the server asked for input of a person during
	// the call and was declined. Over a child's pipes it cannot be told which
	// of several calls it asked for: it is noted on each.
	AskedForInput bool
	Took          time.Duration
}

// CallOption changes how one call is made.
type CallOption func(*call)

// OnProgress has the server report how far the call has come. f is not called
// after the call has returned, and is quick: other calls' reports wait for it.
func OnProgress(f func(Progress)) CallOption {
	return func(c *call) { c.onProgress = f }
}

// Repeatable says that the tool may be called twice for one call, which is
// done once when the server has forgotten its session. Tools whose own
// annotations say read-only or idempotent are so without it.
func Repeatable() CallOption {
	return func(c *call) { c.again = true }
}

// Call calls a tool of an instance with a JSON object of arguments (nil for
// none). Without a result the error is a *[CallError]. Calls run side by
// side; callers never wait for each other. A lazy server that is idle is
// started first.
func (p *Pool) Call(ctx context.Context, key Key, tool string, args json.RawMessage, options ...CallOption) (*Result, error) {
	if len(args) == 0 {
		args = json.RawMessage(`{}`)
	}
	c := &call{pool: p, what: tool, tool: tool}
	for _, set := range options {
		set(c)
	}
	if trimmed := bytes.TrimSpace(args); !json.Valid(args) || trimmed[0] != '{' {
		c.malformed = fmt.Sprintf("The arguments of %s must be a JSON object.", tool)
	}
	c.send = func(ctx context.Context, l *link) error {
		params := &mcp.CallToolParams{Name: tool, Arguments: args}
		if c.onProgress != nil {
			token, end := l.progress.follow(c.onProgress)
			defer end()
			params.SetProgressToken(token)
		}
		_, err := l.session.CallTool(ctx, params)
		return err
	}
	return c.do(ctx, key)
}

// Resources lists one page of a server's resources ("" for the first); the
// result is that of resources/list. Errors are those of [Pool.Call].
func (p *Pool) Resources(ctx context.Context, key Key, cursor string) (*Result, error) {
	return p.utility(ctx, key, "the list of resources", func(ctx context.Context, l *link) error {
		_, err := l.session.ListResources(ctx, &mcp.ListResourcesParams{Cursor: cursor})
		return err
	})
}

// ReadResource reads one resource; the result is that of resources/read.
func (p *Pool) ReadResource(ctx context.Context, key Key, uri string) (*Result, error) {
	return p.utility(ctx, key, "the resource", func(ctx context.Context, l *link) error {
		_, err := l.session.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
		return err
	})
}

// Prompts lists one page of a server's prompts ("" for the first); the result
// is that of prompts/list.
func (p *Pool) Prompts(ctx context.Context, key Key, cursor string) (*Result, error) {
	return p.utility(ctx, key, "the list of prompts", func(ctx context.Context, l *link) error {
		_, err := l.session.ListPrompts(ctx, &mcp.ListPromptsParams{Cursor: cursor})
		return err
	})
}

// GetPrompt fills in one prompt; the result is that of prompts/get.
func (p *Pool) GetPrompt(ctx context.Context, key Key, name string, args map[string]string) (*Result, error) {
	return p.utility(ctx, key, "the prompt "+name, func(ctx context.Context, l *link) error {
		_, err := l.session.GetPrompt(ctx, &mcp.GetPromptParams{Name: name, Arguments: args})
		return err
	})
}

// utility makes a call that only reads.
func (p *Pool) utility(ctx context.Context, key Key, what string, send func(context.Context, *link) error) (*Result, error) {
	return (&call{pool: p, what: what, again: true, send: send}).do(ctx, key)
}
