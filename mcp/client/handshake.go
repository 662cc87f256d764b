package client

import (
	"context"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Elicitation is a server's request for input of a person.
type Elicitation struct {
	Server  string
	Message string
	Schema  any // the JSON schema of what is asked; nil for a form of no fields
}

// Answer is what a person gave.
type Answer struct{ Content map[string]any }

// shakeHands begins the session in one era. With eraSessionless nothing but
// server/discover is tried.
func (l *link) shakeHands(ctx context.Context, e era, version string) error {
	opts := &mcp.ClientSessionOptions{}
	if e == eraInitialize {
		opts.ProtocolVersion = lastInitialize
	} else {
		l.conn.probe()
	}
	l.conn.results().progress = l.progress.heard
	// Whoever gives up on the handshake gives up on the child: nothing in the
	// SDK may then wait for it.
	unhook := context.AfterFunc(ctx, func() { _ = l.conn.Close() })
	defer unhook()
	session, err := l.client(version).Connect(ctx, l.conn, opts)
	if err != nil {
		return l.explain(ctx, err)
	}
	l.session = session
	l.pumps.Go(func() {
		_ = session.Wait() // how it ended shows in the process and in conn.failure
		close(l.over)
	})
	return nil
}

// client is what the SDK is to do for this link.
func (l *link) client(version string) *mcp.Client {
	caps := &mcp.ClientCapabilities{}
	if len(l.spec.Roots) > 0 {
		//lint:ignore SA1019 servers of the older era know of their directories by nothing else
		caps.RootsV2 = &mcp.RootCapabilities{}
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "crewlet", Version: version}, &mcp.ClientOptions{
		Capabilities:               caps,
		ToolListChangedHandler:     func(context.Context, *mcp.ToolListChangedRequest) { touch(l.changed) },
		PromptListChangedHandler:   func(context.Context, *mcp.PromptListChangedRequest) { touch(l.changed) },
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { touch(l.changed) },
		ElicitationHandler:         l.asked,
	})
	for _, dir := range l.spec.Roots {
		//lint:ignore SA1019 as above
		c.AddRoots(&mcp.Root{URI: (&url.URL{Scheme: "file", Path: dir}).String(), Name: dir})
	}
	return c
}

// asked declines a server's request for input, unless there is somebody to
// ask, and notes it on the call it came with.
func (l *link) asked(ctx context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	if raw, ok := ctx.Value(rawKey{}).(*rawResult); ok {
		raw.asked.Store(true)
	} else {
		l.conn.results().input()
	}
	if l.elicit != nil {
		e := Elicitation{Server: l.called.name(), Message: l.redact.line(r.Params.Message), Schema: r.Params.RequestedSchema}
		if a := l.elicit(ctx, e); a != nil {
			return &mcp.ElicitResult{Action: "accept", Content: a.Content}, nil
		}
	}
	return &mcp.ElicitResult{Action: "decline"}, nil
}

// explain prefers what we know of a broken connection to what the SDK saw.
func (l *link) explain(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if cause := l.conn.failure(); cause != nil {
		return cause
	}
	return err
}
