package client

import (
	"net/http"
	"strings"
	"testing"
)

// Each of these spoils one call and nothing else.
func TestCallsOverHTTPThatFail(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer  func(http.ResponseWriter, message)
		fault   Fault
		says    string
		reached bool
	}{
		"streams and breaks off": {func(w http.ResponseWriter, _ message) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write([]byte("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":1}}\n\ndata: {\"js"))
		}, Lost, "web broke off its answer to look.", true},
		"streams, breaks off and refuses the rest": {func(w http.ResponseWriter, _ message) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write([]byte("retry: 1\nid: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":1}}\n\n"))
		}, Unauthorized, "web broke off its answer to look, and would not go on with it: it answered 401 Unauthorized: it wants a credential", true},
		"cuts the connection": {func(http.ResponseWriter, message) { panic(http.ErrAbortHandler) },
			Lost, "web could not be asked for look: it cannot be reached: ", true},
		"answers nothing": {func(w http.ResponseWriter, _ message) { w.WriteHeader(http.StatusAccepted) },
			Malformed, "The call of look failed: ", true},
		"429": {func(w http.ResponseWriter, _ message) {
			w.Header().Set("Retry-After", "30")
			w.WriteHeader(http.StatusTooManyRequests)
		}, Throttled, "web did not take the call of look: it answered 429 Too Many Requests. Ask again in 30 seconds.", true},
		"500": {func(w http.ResponseWriter, _ message) { http.Error(w, "boom "+canary, http.StatusInternalServerError) },
			Rejected, "web did not take the call of look: it answered 500 Internal Server Error: boom [redacted].", true},
		"403": {func(w http.ResponseWriter, _ message) { w.WriteHeader(http.StatusForbidden) },
			Unauthorized, "web did not take the call of look: it answered 403 Forbidden: it refuses the credential.", true},
		"401": {func(w http.ResponseWriter, _ message) { w.WriteHeader(http.StatusUnauthorized) },
			Unauthorized, "web did not take the call of look: it answered 401 Unauthorized: it wants a credential", true},
		"an error of JSON-RPC": {func(w http.ResponseWriter, m message) {
			w.WriteHeader(http.StatusBadRequest)
			reply(w, m, "", `{"code":-32602,"message":"no"}`)
		}, Rejected, "web refused look: no (code -32602).", true},
		"40 MiB": {func(w http.ResponseWriter, m message) {
			reply(w, m, `{"content":[{"type":"text","text":"`+strings.Repeat("x", 40<<20)+`"}]}`, "")
		}, TooLarge, "The result of look is 41943079 bytes, over the limit of 32 MiB; ask for less at once.", true},
		"65 MiB": {func(w http.ResponseWriter, m message) {
			reply(w, m, `"`+strings.Repeat("x", 65<<20)+`"`, "")
		}, TooLarge, "The result of look is over 64 MiB, over the limit of 32 MiB; ask for less at once.", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, s := newHouse(t, SystemClock()), newWeb(t)
			s.listen = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) } // of every stream
			s.answer = func(w http.ResponseWriter, m message) bool {
				if m.Method != "tools/call" || m.Params.Name != "look" {
					return false
				}
				c.answer(w, m)
				return true
			}
			spec := s.spec("web")
			h.pool.Apply([]Spec{spec})
			h.running("web")
			_, err := h.pool.Call(t.Context(), spec.Key, "look", nil)
			e := fails(t, err, c.fault)
			if !strings.HasPrefix(e.Says, c.says) || e.Reached != c.reached {
				t.Errorf("got %q, reached %v", e.Says, e.Reached)
			}
			if _, err := h.pool.Call(t.Context(), spec.Key, "echo", nil); err != nil {
				t.Errorf("the next call: %v", err)
			}
			if r := h.pool.Reports()[0]; r.State != Running || r.Attempt != 1 {
				t.Errorf("got %+v", r)
			}
			h.keepsSecret(err)
		})
	}
}
