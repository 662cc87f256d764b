package handlers

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

const (
	mcpOld = "2025-11-25"
	mcpNew = "2026-07-28"
)

// rpc is one message to the operators' MCP door.
type rpc struct {
	era    string
	method string
	params map[string]any
	id     any // 1 where nothing is said
}

// spoken is what it was answered.
type spoken struct {
	reply
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int            `json:"code"`
		Message string         `json:"message"`
		Data    map[string]any `json:"data"`
	} `json:"error"`
}

// body and headers are a message as each protocol has it.
func (m rpc) encode(t testing.TB) (body []byte, headers []string) {
	t.Helper()
	params := m.params
	if params == nil {
		params = map[string]any{}
	}
	headers = []string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream"}
	if m.era == mcpNew {
		params["_meta"] = map[string]any{
			"io.modelcontextprotocol/protocolVersion": mcpNew, "io.modelcontextprotocol/clientCapabilities": map[string]any{},
			"io.modelcontextprotocol/clientInfo": map[string]any{"name": "test", "version": "1"},
		}
		headers = append(headers, "Mcp-Method", m.method)
		for _, named := range []string{"name", "uri"} {
			if name, is := params[named].(string); is {
				headers = append(headers, "Mcp-Name", name)
			}
		}
	}
	headers = append(headers, "Mcp-Protocol-Version", or(m.era, mcpOld))
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": orAny(m.id, 1), "method": m.method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	return body, headers
}

func orAny(given, otherwise any) any {
	if given == nil {
		return otherwise
	}
	return given
}

// speak sends a message and reads the answer, which came as JSON or as the
// last event of a stream.
func (b *bench) speak(t testing.TB, token string, m rpc) spoken {
	t.Helper()
	body, headers := m.encode(t)
	got := spoken{reply: b.ask(t, http.MethodPost, "/operator/mcp", bytes.NewReader(body), as(token, headers...)...)}
	last := got.text
	if strings.HasPrefix(got.header.Get("Content-Type"), "text/event-stream") {
		last = last[strings.LastIndex(last, "data: ")+len("data: "):]
	}
	if err := json.Unmarshal([]byte(last), &got); err != nil {
		t.Fatalf("answered %d: %.500s", got.status, got.text)
	}
	return got
}

// listed are the names tools/list answers a credential.
func (b *bench) listed(t testing.TB, token, era string) []string {
	t.Helper()
	var list struct {
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
	}
	got := b.speak(t, token, rpc{era: era, method: "tools/list"})
	if err := json.Unmarshal(got.Result, &list); err != nil || list.Tools == nil {
		t.Fatalf("listed %v: %.500s", err, got.text)
	}
	var names []string
	for _, one := range list.Tools {
		names = append(names, one.Name)
	}
	return names
}

// called is a tool's answer.
type called struct {
	Error   bool            `json:"isError"`
	Content json.RawMessage `json:"structuredContent"`
	Text    []struct {
		Text string `json:"text"`
	} `json:"content"`
	fields map[string]any
}

func (b *bench) callTool(t testing.TB, token, era, name string, args any) called {
	t.Helper()
	got := b.speak(t, token, rpc{era: era, method: "tools/call", params: map[string]any{"name": name, "arguments": args}})
	var c called
	if err := json.Unmarshal(got.Result, &c); err != nil {
		t.Fatalf("%s answered %d %v: %.500s", name, got.status, err, got.text)
	}
	if err := json.Unmarshal(c.Content, &c.fields); err != nil || len(c.Text) != 1 {
		t.Fatalf("%s: %v: %.500s", name, err, got.text)
	}
	if c.Text[0].Text != string(c.Content) {
		t.Errorf("%s: the text is not the content: %.300s", name, c.Text[0].Text)
	}
	return c
}

func (c called) class() refusal.Class {
	class, _ := c.fields["error"].(string)
	return refusal.Class(class)
}

func TestAssistantsSeeWhatTheyMayUse(t *testing.T) {
	t.Parallel()
	b := open(t)
	all, reader, none := b.mint(true, "all").Value, b.mint(false, "state:read").Value, b.mint(false, nobodysRights...).Value
	for _, era := range []string{mcpOld, mcpNew} {
		var want []string
		for _, one := range b.Tools {
			if one.Audience&tool.Operators != 0 {
				want = append(want, one.Name)
			}
		}
		slices.Sort(want)
		for range 2 { // encoded anew, then as it was kept
			if got := b.listed(t, all, era); !slices.Equal(got, want) {
				t.Errorf("%s lists %v, want %v", era, got, want)
			}
			got := b.listed(t, reader, era)
			if !slices.Contains(got, "get_tool") || slices.Contains(got, "list_audit") || slices.Contains(got, "write_config") {
				t.Errorf("%s: a reader is shown %v", era, got)
			}
			if got := b.listed(t, none, era); slices.Contains(got, "get_tool") {
				t.Errorf("%s: somebody without rights is shown %v", era, got)
			}
		}
	}
}

func TestListsAskedForAtOnceAreEachOnesOwn(t *testing.T) {
	t.Parallel()
	b := open(t)
	tokens := []string{b.mint(true, "all").Value, b.mint(false, "state:read").Value, b.mint(false, nobodysRights...).Value}
	var asked sync.WaitGroup
	for _, token := range tokens {
		want := b.listed(t, token, mcpOld)
		for _, era := range []string{mcpOld, mcpNew} {
			asked.Go(func() {
				for range 20 {
					if got := b.listed(t, token, era); !slices.Equal(got, want) {
						t.Errorf("%s lists %v, want %v", era, got, want)
					}
				}
			})
		}
	}
	asked.Wait()
}

func TestCallsOfToolsThatAreNotTheirs(t *testing.T) {
	t.Parallel()
	b := open(t)
	all, reader := b.mint(true, "all").Value, b.mint(false, "state:read").Value
	for name, c := range map[string]struct{ token, tool, reason string }{
		"one they are not shown":              {reader, "list_audit", "no_grant"},
		"one the dashboard alone has":         {all, "set_secret", "no_scope"},
		"one the program has":                 {all, "record_server_state", "no_scope"},
		"one that needs more than was minted": {b.mint(false, "all").Value, "reload_config", "step_up"},
	} {
		t.Run(name, func(t *testing.T) {
			before := b.counts()
			got := b.callTool(t, c.token, mcpOld, c.tool, map[string]any{})
			if got.class() != refusal.Forbidden || got.fields["reason"] != c.reason || !got.Error {
				t.Errorf("answered %v", got.fields)
			}
			if left := b.counts().since(before); left != (counts{Audit: 1}) {
				t.Errorf("it left %+v", left)
			}
		})
	}
	got := b.speak(t, all, rpc{method: "tools/call", params: map[string]any{"name": "fly"}})
	if got.Error == nil || got.Error.Code != -32602 {
		t.Errorf("a tool there is not: %.300s", got.text)
	}
}

// The whole list is read into every conversation of an assistant: 12,000
// tokens of four bytes are the most it may take of one.
func TestTheListLeavesRoomForTheConversation(t *testing.T) {
	t.Parallel()
	b := open(t)
	got := b.speak(t, b.mint(true, "all").Value, rpc{method: "tools/list"})
	if tokens := len(got.Result) / 4; tokens > 12_000 {
		t.Errorf("the operators' list takes %d tokens; 12,000 are the most", tokens)
	}
}
