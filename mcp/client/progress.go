package client

import (
	"encoding/json"
	"fmt"
	"sync"
)

// Progress is how far a call has come, as its server counts.
type Progress struct {
	Done    float64
	Total   float64 // 0 when it is not known
	Message string
}

// progress hands a server's notices of progress to the calls they are for.
type progress struct {
	redact *redactor

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

// heard tells the call that a notice is for. It is called as the notice is
// read, so that what was said before an answer is told before the call ends.
func (p *progress) heard(params json.RawMessage) {
	var n struct {
		Token    any     `json:"progressToken"`
		Progress float64 `json:"progress"`
		Total    float64 `json:"total"`
		Message  string  `json:"message"`
	}
	_ = json.Unmarshal(params, &n) // what is odd about it is left out
	token, ok := n.Token.(string)
	if !ok {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.calls[token]; f != nil {
		f(Progress{Done: n.Progress, Total: n.Total, Message: p.redact.line(n.Message)})
	}
}
