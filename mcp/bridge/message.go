package bridge

import (
	"bytes"
	"context"
	"encoding/json"
)

// Codes of JSON-RPC.
const (
	parseError  = -32700
	nodeRefused = -32000 // what the node or the way to it said no to
)

// message is what a bridge has to know of a message.
type message struct {
	Method string          `json:"method"`
	ID     json.RawMessage `json:"id"`
	Params struct {
		RequestID json.RawMessage `json:"requestId"`
		Name      string          `json:"name"`
		URI       string          `json:"uri"`
		Meta      struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	} `json:"params"`
	raw []byte
}

// parse reads a line. Params that are not as expected are the node's to refuse.
func parse(line []byte) (message, error) {
	m := message{raw: bytes.TrimSpace(line)}
	var whole json.RawMessage
	if err := json.Unmarshal(m.raw, &whole); err != nil {
		return m, err
	}
	_ = json.Unmarshal(m.raw, &m)
	if string(m.ID) == "null" {
		m.ID = nil
	}
	return m, nil
}

// named is what the newer protocol has a request name in a header.
func (m message) named() string {
	if m.Params.Name != "" {
		return m.Params.Name
	}
	return m.Params.URI
}

// line writes one message to the client.
func (b *bridge) line(ctx context.Context, text []byte) {
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		b.o.Log.ErrorContext(ctx, "answer_is_no_json", "error", err, "bytes", len(text))
		return
	}
	out.WriteByte('\n')
	b.write.Lock()
	defer b.write.Unlock()
	if _, err := b.o.Out.Write(out.Bytes()); err != nil {
		b.o.Log.ErrorContext(ctx, "client_does_not_read", "error", err)
	}
}

// refuse answers a request in the bridge's own words; a notification is only
// logged.
func (b *bridge) refuse(id json.RawMessage, code int, says string) {
	b.o.Log.Warn("not_carried", "id", string(id), "reason", says)
	if id == nil && code != parseError {
		return
	}
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": says}})
	if err == nil {
		b.line(context.Background(), text)
	}
}
