package client

import (
	"context"
	"net/http"
	"strings"
	"testing"
)

// A new name restarts nothing, in whatever state the server is, and counts
// from then on: for its reports, its log and what its callers are told.
func TestRenamedServerStaysAsItIs(t *testing.T) {
	t.Parallel()
	h, site := newHouse(t, newStill()), newWeb(t)
	child, web, down, lazy := fault("endless"), site.spec("web"), fault("broken"), fault("rich")
	lazy.Lazy = true
	before := []Spec{child, web, down, lazy}
	h.pool.Apply(before)
	h.running("endless")
	h.running("web")
	if _, err := h.pool.Call(t.Context(), lazy.Key, "echo", nil); err != nil {
		t.Fatal(err)
	}
	h.until(0, "broken", isFailed)
	under := make(chan error, 1)
	go func() {
		_, err := h.pool.Call(context.Background(), child.Key, "echo", nil)
		under <- err
	}()
	eventually(t, "a call is under way", func() bool { return strings.Contains(h.log.String(), `"line":"called"`) })
	old := map[Key]Report{}
	for _, r := range h.pool.Reports() {
		old[r.Key] = r
	}

	at, told := h.now(), len(h.log.String())
	after := make([]Spec, len(before))
	for i, spec := range before {
		spec.Name = "new-" + spec.Name
		after[i] = spec
	}
	h.pool.Apply(after)
	for _, spec := range after {
		h.until(at, spec.Key.Server, func(r Report) bool { return r.Name == spec.Name })
	}
	for _, r := range h.pool.Reports() {
		if was := old[r.Key]; r.Key != down.Key && (r.PID != was.PID || r.State != Running || r.Attempt != 1 || r.Since != was.Since) {
			t.Errorf("%s: got %+v after %+v", r.Name, r, was)
		}
	}
	if n := site.count("initialize"); n != 1 {
		t.Errorf("there were %d sessions", n)
	}
	h.callersHearTheNewName(site, after, under)
	said := h.log.String()[told:]
	if strings.Contains(said, `"server":"endless"`) || !strings.Contains(said, `"msg":"mcp_server_retired","server":"new-endless"`) {
		t.Errorf("got log %s", said)
	}
}

// callersHearTheNewName stops the child during a call and has the other
// server fail one.
func (h *house) callersHearTheNewName(site *web, specs []Spec, under <-chan error) {
	h.t.Helper()
	h.pool.Apply(specs[1:]) // the child is stopped
	if e := fails(h.t, <-under, Lost); e.Server != "new-endless" || e.Says != "new-endless was stopped while echo ran." {
		h.t.Errorf("got %+v", e)
	}
	h.until(0, "endless", stopsRunning)
	_, err := h.pool.Call(h.t.Context(), specs[1].Key, "echo", nil)
	if err != nil {
		h.t.Errorf("a call: %v", err)
	}
	site.turn(func(w http.ResponseWriter, _ message) bool {
		w.WriteHeader(http.StatusInternalServerError)
		return true
	})
	_, err = h.pool.Call(h.t.Context(), specs[1].Key, "echo", nil)
	if e := fails(h.t, err, Rejected); e.Server != "new-web" || !strings.HasPrefix(e.Says, "new-web did not take the call of echo") {
		h.t.Errorf("got %+v", e)
	}
}

// A name and something else at once is another spec.
func TestRenamedAndChangedServerStartsAgain(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	spec := fault("rich")
	h.pool.Apply([]Spec{spec})
	first := h.running("rich")
	at := h.now()
	spec.Name, spec.Env = "richer", WithEnv(spec.Env, map[string]string{"NEW": "value"})
	h.pool.Apply([]Spec{spec})
	if again := h.until(at, "rich", isRunning); again.Name != "richer" || again.PID == first.PID {
		t.Errorf("got %+v", again)
	}
	if !strings.Contains(h.log.String(), `"msg":"mcp_server_started","server":"richer"`) &&
		!strings.Contains(h.log.String(), `"msg":"server_restarted","server":"richer"`) {
		t.Errorf("got log %s", h.log.String())
	}
}
