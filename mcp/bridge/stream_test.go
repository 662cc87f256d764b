package bridge

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// carried is what a client hears that says these lines to a node.
func carried(t *testing.T, node http.HandlerFunc, lines ...string) string {
	t.Helper()
	at := httptest.NewServer(node)
	t.Cleanup(at.Close)
	var out strings.Builder
	err := Run(t.Context(), Options{
		URL: at.URL, Token: "t", In: strings.NewReader(strings.Join(lines, "\n") + "\n"), Out: &out, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// streams answers with these messages as events, and ends.
func streams(messages ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, m := range messages {
			_, _ = fmt.Fprintf(w, "event: message\ndata: %s\n\n", m)
		}
	}
}

func TestAStreamThatEndsWithoutItsAnswerIsTold(t *testing.T) {
	t.Parallel()
	const (
		note   = `{"jsonrpc":"2.0","method":"notifications/progress","params":{}}`
		asks   = `{"jsonrpc":"2.0","method":"ping","id":7}`
		other  = `{"jsonrpc":"2.0","id":8,"result":{}}`
		answer = `{"jsonrpc":"2.0","id":7,"result":{}}`
	)
	for name, c := range map[string]struct {
		sent []string
		cut  bool
	}{
		"only notes":      {[]string{note}, true},
		"nothing":         {nil, true},
		"another's":       {[]string{other}, true},
		"a request of id": {[]string{asks}, true},
		"answered":        {[]string{note, answer}, false},
		"answered early":  {[]string{answer, note}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			heard := carried(t, streams(c.sent...), `{"jsonrpc":"2.0","id":7,"method":"tools/call"}`)
			if cut := strings.Contains(heard, "ended this without an answer") && strings.Contains(heard, `"id":7`); cut != c.cut {
				t.Errorf("heard %s", heard)
			}
			if n := strings.Count(heard, "\n"); c.cut && n != len(c.sent)+1 || !c.cut && n != len(c.sent) {
				t.Errorf("%d lines: %s", n, heard)
			}
		})
	}
}

func TestBlankLinesAreNoMessages(t *testing.T) {
	t.Parallel()
	heard := carried(t, streams(`{"jsonrpc":"2.0","id":1,"result":{}}`), "", "\r", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "  ")
	if heard != `{"jsonrpc":"2.0","id":1,"result":{}}`+"\n" {
		t.Errorf("heard %s", heard)
	}
}

// A client says the next thing only once it has heard the first.
func TestTheVersionIsReadOfAStreamToo(t *testing.T) {
	t.Parallel()
	versions := make(chan string, 2)
	at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		versions <- r.Header.Get("Mcp-Protocol-Version")
		streams(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}`)(w, r)
	}))
	t.Cleanup(at.Close)
	in, say := io.Pipe()
	hear, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- Run(t.Context(), Options{URL: at.URL, In: in, Out: out, Log: slog.New(slog.DiscardHandler)})
	}()
	for _, method := range []string{"initialize", "ping"} {
		_, _ = fmt.Fprintf(say, `{"jsonrpc":"2.0","id":1,"method":%q}`+"\n", method)
		if _, err := hear.Read(make([]byte, 1000)); err != nil {
			t.Fatal(err)
		}
	}
	_ = say.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if first, then := <-versions, <-versions; first != "" || then != "2025-11-25" {
		t.Errorf("sent %q, then %q", first, then)
	}
}
