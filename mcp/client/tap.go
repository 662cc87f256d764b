package client

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// rawResult receives the result of one request as the server wrote it. The
// SDK's own types sort keys, round numbers, drop fields they do not know and
// refuse a whole list for one odd tool; the original is what we hand on.
type rawResult struct {
	id      jsonrpc.ID
	method  string
	text    json.RawMessage
	reached atomic.Bool // the request was on its way to the server
	asked   atomic.Bool // meanwhile the server asked for input
}

type rawKey struct{}

// withRaw asks for the raw result of the request made under the context.
func withRaw(ctx context.Context) (context.Context, *rawResult) {
	raw := &rawResult{}
	return context.WithValue(ctx, rawKey{}, raw), raw
}

// standIns are what the SDK is given instead: the least it accepts.
var standIns = map[string]json.RawMessage{
	"tools/list":     json.RawMessage(`{"tools":[]}`),
	"tools/call":     json.RawMessage(`{"content":[]}`),
	"resources/list": json.RawMessage(`{"resources":[]}`),
	"resources/read": json.RawMessage(`{"contents":[]}`),
	"prompts/list":   json.RawMessage(`{"prompts":[]}`),
	"prompts/get":    json.RawMessage(`{"messages":[]}`),
}

// tap takes results out of the stream of messages for those who asked, and
// notices of progress as they come.
type tap struct {
	progress func(params json.RawMessage) // set before anything is read

	mu      sync.Mutex
	waiting map[jsonrpc.ID]*rawResult
}

// sent notes a request that is about to be written.
func (t *tap) sent(ctx context.Context, msg jsonrpc.Message) {
	raw, ok := ctx.Value(rawKey{}).(*rawResult)
	req, isRequest := msg.(*jsonrpc.Request)
	if !ok || !isRequest || !req.IsCall() || standIns[req.Method] == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting == nil {
		t.waiting = map[jsonrpc.ID]*rawResult{}
	}
	raw.id, raw.method = req.ID, req.Method
	t.waiting[req.ID] = raw
}

// writing notes that a request is being written. The SDK's notice that it is
// cancelled comes under the same context, from elsewhere, and is not meant.
func (t *tap) writing(ctx context.Context, msg jsonrpc.Message) {
	raw, ok := ctx.Value(rawKey{}).(*rawResult)
	if req, isRequest := msg.(*jsonrpc.Request); ok && isRequest && req.IsCall() {
		raw.reached.Store(true)
	}
}

// received swaps a result somebody asked for with its stand-in. A result that
// asks for input goes to the SDK as it is, which answers it and calls again.
func (t *tap) received(msg jsonrpc.Message) {
	if req, ok := msg.(*jsonrpc.Request); ok && req.Method == "notifications/progress" && t.progress != nil {
		t.progress(req.Params)
	}
	resp, ok := msg.(*jsonrpc.Response)
	if !ok {
		return
	}
	t.mu.Lock()
	raw := t.waiting[resp.ID]
	delete(t.waiting, resp.ID)
	t.mu.Unlock()
	if raw == nil || resp.Error != nil || asksForInput(resp.Result) {
		return
	}
	raw.text, resp.Result = resp.Result, standIns[raw.method]
}

// forget drops a request whose caller has left.
func (t *tap) forget(raw *rawResult) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.waiting, raw.id)
}

// input notes that the server asked for input outside of any answer. Which
// request it belongs to cannot be told: it is noted on all that wait.
func (t *tap) input() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, raw := range t.waiting {
		raw.asked.Store(true)
	}
}

// busy reports whether somebody waits for an answer.
func (t *tap) busy() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.waiting) > 0
}

func asksForInput(result json.RawMessage) bool {
	if !bytes.Contains(result, []byte("input_required")) {
		return false // so that a result is not parsed twice
	}
	var head struct {
		ResultType string `json:"resultType"`
	}
	return json.Unmarshal(result, &head) == nil && head.ResultType == "input_required"
}
