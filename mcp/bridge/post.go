package bridge

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// longest is the longest line of a stream, and the longest answer, in bytes.
const longest = 64 << 20

// post sends a message and writes out what comes of it.
func (b *bridge) post(ctx context.Context, m message) {
	got, err := b.send(ctx, http.MethodPost, m)
	if err != nil {
		if ctx.Err() == nil {
			b.refuse(m.ID, nodeRefused, "The node cannot be reached: "+err.Error())
		}
		return
	}
	defer func() { _ = got.Body.Close() }()
	b.o.Log.DebugContext(ctx, "from_node", "method", m.Method, "status", got.StatusCode)
	switch kind := got.Header.Get("Content-Type"); {
	case got.StatusCode == http.StatusAccepted || got.StatusCode == http.StatusNoContent:
	case got.StatusCode == http.StatusOK && strings.HasPrefix(kind, "text/event-stream"):
		answered, err := b.stream(ctx, got.Body, m)
		switch {
		case ctx.Err() != nil || answered:
		case err != nil:
			b.refuse(m.ID, nodeRefused, "The answer was cut off: "+err.Error())
		default: // the client would wait for it for ever
			b.refuse(m.ID, nodeRefused, "The node ended this without an answer: it stops, or the token was revoked or has expired.")
		}
	default:
		b.answer(ctx, m, got)
	}
}

// send makes a request as the protocol has it: its version, and what it is
// about, in headers.
func (b *bridge) send(ctx context.Context, method string, m message) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, b.o.URL, bytes.NewReader(m.raw))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+b.o.Token)
	r.Header.Set("Accept", "application/json, text/event-stream")
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	b.mu.Lock()
	version := b.version
	b.mu.Unlock()
	if newer := m.Params.Meta.Version; newer != "" {
		version = newer
		r.Header.Set("Mcp-Method", m.Method)
		if name := m.named(); name != "" {
			r.Header.Set("Mcp-Name", name)
		}
	}
	if version != "" && m.Method != "initialize" {
		r.Header.Set("Mcp-Protocol-Version", version)
	}
	return b.http.Do(r)
}

// answer writes out a JSON answer. What is no message of the protocol is the
// node's refusal of the request itself, and told in its words.
func (b *bridge) answer(ctx context.Context, m message, got *http.Response) {
	body, err := io.ReadAll(io.LimitReader(got.Body, longest))
	if err != nil {
		if ctx.Err() == nil {
			b.refuse(m.ID, nodeRefused, "The answer was cut off: "+err.Error())
		}
		return
	}
	var told struct {
		Version string `json:"jsonrpc"`
		Message string `json:"message"` // of a refusal
	}
	_ = json.Unmarshal(body, &told)
	switch {
	case told.Version != "":
		b.note(m, body)
		b.line(ctx, body)
	case got.StatusCode == http.StatusNotFound && b.o.Missing != "":
		b.refuse(m.ID, nodeRefused, b.o.Missing)
	case told.Message != "":
		b.refuse(m.ID, nodeRefused, told.Message)
	default:
		b.refuse(m.ID, nodeRefused, fmt.Sprintf("The node answered %s, which is no MCP. Does CREWLET_URL name a Crewlet node?", got.Status))
	}
}

// note reads of a message from the node what a bridge has to know: whether it
// answers this one, and the protocol the node chose.
func (b *bridge) note(m message, text []byte) (answers bool) {
	var told struct {
		Method string          `json:"method"`
		ID     json.RawMessage `json:"id"`
		Result struct {
			Protocol string `json:"protocolVersion"`
		} `json:"result"`
	}
	_ = json.Unmarshal(text, &told) // what is no message is dropped where it is written
	if m.Method == "initialize" && told.Result.Protocol != "" {
		b.mu.Lock()
		b.version = told.Result.Protocol
		b.mu.Unlock()
	}
	return m.ID != nil && told.Method == "" && bytes.Equal(told.ID, m.ID)
}

// stream writes out the messages of a stream as they come, and reports whether
// the answer to a message was among them.
func (b *bridge) stream(ctx context.Context, from io.Reader, m message) (answered bool, err error) {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, longest)
	var data bytes.Buffer
	for lines.Scan() {
		text := lines.Bytes()
		if part, is := bytes.CutPrefix(text, []byte("data:")); is {
			data.Write(bytes.TrimPrefix(part, []byte(" ")))
		}
		if len(text) == 0 && data.Len() > 0 {
			answered = b.note(m, data.Bytes()) || answered
			b.line(ctx, data.Bytes())
			data.Reset()
		}
	}
	return answered, lines.Err()
}

// again is how long the bridge waits before it listens anew, at most.
const again = 30 * time.Second

// listen keeps the older protocol's stream open, on which the node says that
// its lists changed.
func (b *bridge) listen(ctx context.Context) {
	for wait := time.Second; ; wait = min(2*wait, again) {
		got, err := b.send(ctx, http.MethodGet, message{})
		if err == nil {
			if got.StatusCode == http.StatusOK {
				wait = time.Second
				_, err = b.stream(ctx, got.Body, message{})
			}
			_ = got.Body.Close()
			if got.StatusCode >= 400 && got.StatusCode < 500 {
				return // it has none, or not for this token
			}
		}
		b.o.Log.DebugContext(ctx, "listens_again", "in", wait, "error", err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}
