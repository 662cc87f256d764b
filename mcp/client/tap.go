package client

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// rawResult receives the result of one request as the server wrote it. The
// SDK's own types sort keys, round numbers, drop fields they do not know and
// refuse a whole list for one odd tool; the original is what we hand on.
type rawResult struct {
	id      jsonrpc.ID
	method  string
	text    json.RawMessage
	reached bool // the request was on its way to the server
}

type rawKey struct{}

// withRaw asks for the raw result of the request made under the context.
func withRaw(ctx context.Context) (context.Context, *rawResult) {
	raw := &rawResult{}
	return context.WithValue(ctx, rawKey{}, raw), raw
}

// standIns are what the SDK is given instead: the least it accepts.
var standIns = map[string]json.RawMessage{
	"tools/list": json.RawMessage(`{"tools":[]}`),
	"tools/call": json.RawMessage(`{"content":[]}`),
}

// tap takes results out of the stream of messages for those who asked.
type tap struct {
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
		raw.reached = true // read by the goroutine that made the request: this one
	}
}

// received swaps a result somebody asked for with its stand-in. A result that
// asks for input goes to the SDK as it is, which answers it and calls again.
func (t *tap) received(msg jsonrpc.Message) {
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

func asksForInput(result json.RawMessage) bool {
	if !bytes.Contains(result, []byte("input_required")) {
		return false // so that a result is not parsed twice
	}
	var head struct {
		ResultType string `json:"resultType"`
	}
	return json.Unmarshal(result, &head) == nil && head.ResultType == "input_required"
}
