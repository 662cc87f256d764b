package door_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"crewlet/engine/tool"
)

// counts is a tool that tells its caller how far it is, under one token for
// everybody.
func (h *house) counts(steps int, wait <-chan struct{}) {
	h.offer("count", func(ctx context.Context, asked mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-wait
		for i := range steps {
			params := map[string]any{"progressToken": "p", "progress": i, "message": asked.Header.Get("Authorization")}
			if err := h.Notify(ctx, "notifications/progress", params); err != nil {
				return mcp.NewToolResultError(err.Error()), nil
			}
		}
		return mcp.NewToolResultText("counted for " + asked.Header.Get("Authorization")), nil
	})
}

func TestNobodyHearsOfAnothersCall(t *testing.T) {
	t.Parallel()
	const steps = 10
	for _, newer := range []bool{false, true} {
		t.Run(fmt.Sprint("newer ", newer), func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			begin := make(chan struct{})
			h.counts(steps, begin)
			held := events(h.send(t.Context(), "bob", http.MethodGet, "", false).Body)
			streams := map[string]<-chan string{}
			var sent sync.WaitGroup
			var mu sync.Mutex
			for _, by := range []string{"alice", "bob"} {
				sent.Go(func() { // the same id, the same token, the same session
					body := h.send(t.Context(), by, http.MethodPost, calls(7, "count", newer), newer).Body
					mu.Lock()
					defer mu.Unlock()
					streams[by] = events(body)
				})
			}
			close(begin)
			sent.Wait()
			for by, stream := range streams {
				heard := h.ends(stream)
				if len(heard) != steps+1 || slices.ContainsFunc(heard, func(text string) bool { return !strings.Contains(text, "Bearer "+by) }) {
					t.Errorf("%s heard %d messages: %.600q", by, len(heard), heard)
				}
			}
			h.end()
			if heard := h.ends(held); len(heard) != 0 {
				t.Errorf("the held stream heard %q", heard)
			}
		})
	}
}

func TestNobodyEndsAnothersCall(t *testing.T) {
	t.Parallel()
	for _, newer := range []bool{false, true} {
		t.Run(fmt.Sprint("newer ", newer), func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			begun, finish := make(chan struct{}), make(chan struct{})
			h.offer("wait", func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				close(begun)
				<-finish
				return mcp.NewToolResultText(fmt.Sprint("ended early: ", ctx.Err() != nil)), nil
			})
			answered := make(chan string, 1)
			go func() {
				answered <- whole(t, h.send(t.Context(), "alice", http.MethodPost, calls(7, "wait", newer), newer))
			}()
			<-begun
			for _, id := range []string{"", `"id":null,`, `"id":8,`} {
				cancel := `{"jsonrpc":"2.0",` + id + `"method":"notifications/cancelled","params":{"requestId":7}}`
				if got := h.send(t.Context(), "bob", http.MethodPost, cancel, false); got.StatusCode != http.StatusAccepted {
					t.Errorf("a cancel is answered %d", got.StatusCode)
				}
			}
			close(finish)
			if got := <-answered; !strings.Contains(got, "ended early: false") {
				t.Errorf("her call was ended: %s", got)
			}
		})
	}
}

func TestWhoHangsUpEndsTheirOwnCall(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	begun, ended := make(chan struct{}), make(chan struct{})
	h.offer("wait", func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		close(begun)
		<-ctx.Done()
		close(ended)
		return mcp.NewToolResultText("late"), nil
	})
	ctx, hangUp := context.WithCancel(t.Context())
	go func() {
		r, _ := http.NewRequestWithContext(ctx, http.MethodPost, h.url, strings.NewReader(calls(1, "wait", false)))
		r.Header.Set("Authorization", "Bearer alice")
		r.Header.Set("Content-Type", "application/json")
		if got, err := http.DefaultTransport.RoundTrip(r); err == nil {
			_ = got.Body.Close()
		}
	}()
	<-begun
	hangUp()
	<-ended
}

func TestWhatIsSaidLastIsNotLost(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ready := make(chan struct{})
	close(ready)
	h.counts(1, ready)
	for i := range 200 {
		body := h.send(t.Context(), "alice", http.MethodPost, calls(i, "count", i%2 == 0), i%2 == 0).Body
		if heard := h.ends(events(body)); len(heard) != 2 || !strings.Contains(heard[0], "notifications/progress") {
			t.Fatalf("call %d was told %q", i, heard)
		}
	}
}

func TestHeldStreamsHearOfChangesAndEnd(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	listen := request(1, "subscriptions/listen", `{"notifications":{"toolsListChanged":true}}`, true)
	older := events(h.send(t.Context(), "alice", http.MethodGet, "", false).Body)
	newer := events(h.send(t.Context(), "bob", http.MethodPost, listen, true).Body)
	if text := h.next(newer); !strings.Contains(text, "acknowledged") {
		t.Fatalf("told %s", text)
	}
	h.Set(nil)
	for name, stream := range map[string]<-chan string{"older": older, "newer": newer} {
		told := h.next(stream)
		for strings.Contains(told, "resources/list_changed") || strings.Contains(told, "prompts/list_changed") {
			told = h.next(stream)
		}
		if !strings.Contains(told, "notifications/tools/list_changed") {
			t.Errorf("%s: told %s", name, told)
		}
	}
	h.end()
	h.ends(older)
	h.ends(newer)
}

func TestAToolThatPanicsIsARefusal(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.Set([]tool.Tool{broken()})
	got := whole(t, h.send(t.Context(), "alice", http.MethodPost, calls(1, "break_down", false), false))
	if !strings.Contains(got, `"isError":true`) || !strings.Contains(got, `"error":"internal_error"`) || strings.Contains(got, "nil pointer") {
		t.Errorf("answered %s", got)
	}
}
