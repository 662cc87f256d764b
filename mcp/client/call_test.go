package client

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

func fails(t *testing.T, err error, fault Fault) *CallError {
	t.Helper()
	e, ok := errors.AsType[*CallError](err)
	if !ok || e.Fault != fault {
		t.Fatalf("got %v, want a call error %s", err, fault)
	}
	return e
}

func TestCallsThatComeToNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t, fast{20})
	endless, closes, quits := fault("endless"), fault("closes"), fault("shuts-up")
	endless.CallTimeout = 10 * time.Second
	h.pool.Apply([]Spec{endless, closes, quits})
	for _, s := range []Spec{endless, closes, quits} {
		h.running(s.Name)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx   context.Context
		spec  Spec
		args  string
		tool  string
		fault Fault
		says  string
	}{
		"past its time":      {t.Context(), endless, "", "echo", TimedOut, "endless did not finish echo within 10 seconds."},
		"cancelled":          {gone, endless, "", "echo", Cancelled, "The call of echo was cancelled."},
		"arguments a list":   {t.Context(), endless, "[]", "echo", Malformed, "The arguments of echo must be a JSON object."},
		"arguments broken":   {t.Context(), endless, "{", "echo", Malformed, "The arguments of echo must be a JSON object."},
		"arguments of space": {t.Context(), endless, " ", "echo", Malformed, "The arguments of echo must be a JSON object."},
		"output closed":      {t.Context(), closes, "", "echo", Lost, "closes went down while echo ran: it closed its output and went on running."},
		"a clean exit":       {t.Context(), quits, "", "echo", Lost, "shuts-up went down while echo ran: it ended with exit status 0."},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := h.pool.Call(c.ctx, c.spec.Key, c.tool, json.RawMessage(c.args))
			if e := fails(t, err, c.fault); e.Says != c.says || e.Server != c.spec.Name || e.Tool != "echo" {
				t.Errorf("got %+v, want %q", e, c.says)
			}
		})
	}
	if r := h.pool.find(endless.Key).report; r.State != Running || r.Attempt != 1 {
		t.Errorf("a call that took too long brought its server down: %+v", r)
	}
}

func TestLargeAndRichResults(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	fat, rich := fault("fat"), fault("rich")
	h.pool.Apply([]Spec{fat, rich})
	h.running(fat.Name)
	h.running(rich.Name)
	res, err := h.pool.Call(t.Context(), fat.Key, "20", nil)
	if err != nil || len(res.Content) < 20<<20 {
		t.Errorf("20 MiB: got %v", err)
	}
	_, err = h.pool.Call(t.Context(), fat.Key, "33", nil)
	if e := fails(t, err, TooLarge); !e.Reached || !strings.Contains(e.Says, "346") {
		t.Errorf("33 MiB: got %+v", e)
	}
	at := h.now()
	_, err = h.pool.Call(t.Context(), fat.Key, "65", nil)
	if e := fails(t, err, Lost); !strings.Contains(e.Says, "it sent a message over 64 MiB") {
		t.Errorf("65 MiB: got %+v", e)
	}
	h.until(at, fat.Name, isRunning)

	res, err = h.pool.Call(t.Context(), rich.Key, "echo", json.RawMessage(`{"a":1}`))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"content":[{"type":"hologram","beam":1},{"type":"image","data":"AAAA","mimeType":"image/png"}],"structuredContent":{"n":9007199254740993},"later":true,"isError":true}`
	if string(res.Raw) != want || !res.IsError || string(res.Structured) != `{"n":9007199254740993}` {
		t.Errorf("got %s", res.Raw)
	}
}

func TestDeafChildHoldsUpNobody(t *testing.T) {
	t.Parallel()
	h := newHouse(t, fast{20})
	spec := fault("deaf")
	h.pool.Apply([]Spec{spec})
	h.running(spec.Name)
	at := h.now()
	blocked := make(chan error, 1)
	go func() {
		big := json.RawMessage(`{"x":"` + strings.Repeat("y", 1<<20) + `"}`)
		_, err := h.pool.Call(context.Background(), spec.Key, "echo", big)
		blocked <- err
	}()
	eventually(t, "the large call is under way", func() bool {
		return h.pool.find(spec.Key).link.conn.results().under() > 0
	})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := h.pool.Call(ctx, spec.Key, "echo", nil)
	fails(t, err, Cancelled)
	if r := h.until(at, spec.Name, isFailed); r.Error != "It stopped reading its input for 30 seconds." {
		t.Errorf("got %q", r.Error)
	}
	fails(t, <-blocked, Lost)
	h.until(at, spec.Name, isRunning)
}
