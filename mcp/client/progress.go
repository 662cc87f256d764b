package client

import (
	"context"
	"fmt"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Progress is how far a call has come, as its server counts.
type Progress struct {
	Done    float64
	Total   float64 // 0 when it is not known
	Message string
}

// progress hands a server's notices of progress to the calls they are for.
type progress struct {
	mu    sync.Mutex
	last  int
	calls map[string]func(Progress)
}

// follow gives a token under which f is told. The function returned ends it:
// after it f is not called any more.
func (p *progress) follow(f func(Progress)) (token string, end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.calls == nil {
		p.calls = map[string]func(Progress){}
	}
	p.last++
	token = fmt.Sprintf("call-%d", p.last)
	p.calls[token] = f
	return token, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.calls, token)
	}
}

func (p *progress) heard(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
	token, ok := r.Params.ProgressToken.(string)
	if !ok {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.calls[token]; f != nil {
		f(Progress{Done: r.Params.Progress, Total: r.Params.Total, Message: r.Params.Message})
	}
}
