package handlers

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"crewlet/mcp/bridge"
)

// piped is a client on the other end of a bridge.
type piped struct {
	t     *testing.T
	in    *io.PipeWriter
	out   *bufio.Reader
	log   *bytes.Buffer // safe to read after ends
	ended chan error
}

func (b *bench) bridge(t *testing.T, path, token, missing string) *piped {
	t.Helper()
	in, write := io.Pipe()
	read, out := io.Pipe()
	p := &piped{t: t, in: write, out: bufio.NewReader(read), log: &bytes.Buffer{}, ended: make(chan error, 1)}
	go func() {
		p.ended <- bridge.Run(t.Context(), bridge.Options{
			URL: b.url + path, Token: token, In: in, Out: out, Missing: missing, Log: slog.New(slog.NewTextHandler(p.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		})
		_ = out.Close()
	}()
	t.Cleanup(func() { _ = write.Close() })
	return p
}

func (p *piped) says(format string, args ...any) {
	p.t.Helper()
	if _, err := fmt.Fprintf(p.in, format+"\n", args...); err != nil {
		p.t.Fatal(err)
	}
}

// hears is the next line; it has to be one message.
func (p *piped) hears() map[string]any {
	p.t.Helper()
	line := make(chan string, 1)
	go func() {
		text, _ := p.out.ReadString('\n')
		line <- text
	}()
	select {
	case text := <-line:
		var m map[string]any
		if err := json.Unmarshal([]byte(text), &m); err != nil || m["jsonrpc"] != "2.0" {
			p.t.Fatalf("heard %.500q", text)
		}
		return m
	case <-time.After(patience):
		p.t.Fatal("nothing is heard")
		return nil
	}
}

func (p *piped) ends() {
	p.t.Helper()
	_ = p.in.Close()
	go func() { _, _ = io.Copy(io.Discard, p.out) }()
	select {
	case err := <-p.ended:
		if err != nil {
			p.t.Errorf("it ended with %v", err)
		}
	case <-time.After(patience):
		p.t.Fatal("it does not end")
	}
}

func TestTheBridgeCarriesBothProtocols(t *testing.T) {
	t.Parallel()
	b := open(t)
	token := b.mint(true, "all").Value
	p := b.bridge(t, "/operator/mcp", token, "")
	p.says(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	if got := fmt.Sprint(p.hears()); !strings.Contains(got, "serverInfo:map[name:crewlet") {
		t.Errorf("initialize: %s", got)
	}
	p.says(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.says(`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"get_company","arguments":{}}}`)
	if got := p.hears(); got["id"] != "a" || !strings.Contains(fmt.Sprint(got), "name:Acme") {
		t.Errorf("a call: %v", got)
	}
	body, _ := rpc{era: mcpNew, method: "tools/call", id: 2, params: map[string]any{"name": "get_company", "arguments": map[string]any{}}}.encode(t)
	p.says("%s", body)
	if got := p.hears(); got["id"] != 2.0 || !strings.Contains(fmt.Sprint(got), "name:Acme") {
		t.Errorf("the newer protocol: %v", got)
	}
	p.says(`this is nothing`)
	if got := fmt.Sprint(p.hears()["error"]); !strings.Contains(got, "-32700") {
		t.Errorf("no message: %s", got)
	}
	// A call that is given up is hung up on; the next is answered.
	p.says(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"wait_events","arguments":{}}}`)
	p.says(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
	p.says(`{"jsonrpc":"2.0","id":4,"method":"ping"}`)
	if got := p.hears(); got["id"] != 4.0 {
		t.Errorf("after a cancelled call: %v", got)
	}
	p.ends()
	if strings.Contains(p.log.String(), token) || !strings.Contains(p.log.String(), "tools/call") {
		t.Errorf("logged: %s", p.log)
	}
}

func TestTheBridgeSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	b := open(t)
	for name, c := range map[string]struct{ path, token, says string }{
		"a token of nobody": {"/operator/mcp", "crw_tok_x", "not one of ours"},
		"no seat door":      {"/seat/mcp", b.mint(false, "all").Value, "no door for seats"},
	} {
		t.Run(name, func(t *testing.T) {
			p := b.bridge(t, c.path, c.token, "There is no door for seats.")
			p.says(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
			p.says(`{"jsonrpc":"2.0","method":"notifications/initialized"}`) // is told nothing
			if got := p.hears(); got["id"] != 1.0 || !strings.Contains(fmt.Sprint(got["error"]), c.says) {
				t.Errorf("answered %v", got)
			}
			p.ends()
		})
	}
}
