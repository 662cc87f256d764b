package client

import (
	"context"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// Whatever of a child is killed, its whole group or its leader alone, is
// noticed; what was left of it goes, and the next life begins at once.
func TestChildKilledStartsAgainAtOnce(t *testing.T) {
	t.Parallel()
	for _, server := range []string{"grandchild", "setsid-grandchild"} {
		for whom, sign := range map[string]int{"its leader": 1, "its whole group": -1} {
			t.Run(server+", "+whom, func(t *testing.T) {
				t.Parallel()
				h := newHouse(t, SystemClock())
				h.pool.Apply([]Spec{fault(server)})
				first := h.running(server)
				before := h.marked(2)
				at := h.now()
				if err := syscall.Kill(sign*first.PID, syscall.SIGKILL); err != nil {
					t.Fatal(err)
				}
				if down := h.until(at, server, isFailed); down.Error != "It ended with signal: killed." {
					t.Errorf("got %q", down.Error)
				}
				again := h.until(at, server, isRunning)
				if again.PID == first.PID || again.Attempt != 2 || again.Catalogue.Digest != first.Catalogue.Digest || again.Error != "" {
					t.Errorf("got %+v after %+v", again, first)
				}
				h.replaced(before, 2)
				for _, want := range []string{"mcp_server_started", "server_exited", "server_start_retry_scheduled", "server_restarted"} {
					if !strings.Contains(h.log.String(), `"`+want+`"`) {
						t.Errorf("the log has no %s", want)
					}
				}
			})
		}
	}
}

// marked lists the processes of the house's children, which are to be so many.
func (h *house) marked(want int) []int {
	h.t.Helper()
	pids, err := Marked(h.mark + ".")
	if err != nil || len(pids) != want {
		h.t.Errorf("got processes %v %v, want %d", pids, err, want)
	}
	return pids
}

// replaced checks that so many other processes run in place of those before.
func (h *house) replaced(before []int, want int) {
	h.t.Helper()
	for _, pid := range h.marked(want) {
		if slices.Contains(before, pid) {
			h.t.Errorf("%d of the life before is still there", pid)
		}
	}
}

func TestDiesEveryThirdCall(t *testing.T) {
	t.Parallel()
	h := newHouse(t, fast{60})
	spec := fault("dies-every", "3")
	h.pool.Apply([]Spec{spec})
	for range 2 {
		at := h.now()
		h.until(max(0, at-1), spec.Name, isRunning)
		for range 2 {
			if _, err := h.pool.Call(t.Context(), spec.Key, "echo", nil); err != nil {
				t.Fatal(err)
			}
		}
		at = h.now()
		_, err := h.pool.Call(t.Context(), spec.Key, "echo", nil)
		e := fails(t, err, Lost)
		if !e.Reached || !strings.Contains(e.Says, "exit status 9") {
			t.Errorf("got %+v", e)
		}
		h.until(at, spec.Name, isFailed)
		h.until(at, spec.Name, isRunning)
	}
}

func TestApplyTouchesOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	same, edited, gone, added := fault("empty-unknown"), fault("exit-discover"), fault("batch"), fault("rich")
	h.pool.Apply([]Spec{same, edited, gone})
	pids := map[string]int{}
	for _, s := range []Spec{same, edited, gone} {
		pids[s.Name] = h.running(s.Name).PID
	}
	at := h.now()
	reordered := same
	reordered.Env = append([]string{same.Env[len(same.Env)-1]}, same.Env[:len(same.Env)-1]...)
	edited.Env = WithEnv(edited.Env, map[string]string{"NEW": "value"})
	h.pool.Apply([]Spec{added, edited, reordered})
	h.until(at, gone.Name, func(r Report) bool { return r.State == Stopped })
	h.until(at, added.Name, isRunning)
	if r := h.until(at, edited.Name, isRunning); r.PID == pids[edited.Name] {
		t.Error("the edited one was not restarted")
	}
	reports := map[string]Report{}
	eventually(t, "three are left", func() bool { // one that has stopped is told before it is forgotten
		clear(reports)
		for _, r := range h.pool.Reports() {
			reports[r.Name] = r
		}
		return len(reports) == 3
	})
	if r := reports[same.Name]; r.PID != pids[same.Name] || r.State != Running {
		t.Errorf("got %+v, want the same child", r)
	}
}

func TestRemovedAndAddedAgainInOneBreath(t *testing.T) {
	t.Parallel()
	h := newHouse(t, fast{20})
	spec := fault("stubborn")
	h.pool.Apply([]Spec{spec})
	first := h.running(spec.Name)
	at := h.now()
	h.pool.Apply(nil)
	h.pool.Apply([]Spec{spec})
	again := h.until(at, spec.Name, isRunning)
	if again.PID == first.PID {
		t.Error("the child was not replaced")
	}
	if pids, _ := Marked(h.mark + "."); len(pids) != 1 {
		t.Errorf("got %v, want one process: the old group goes before its successor starts", pids)
	}
}

func TestRestartAndUnknownKeys(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	spec := fault("rich")
	h.pool.Apply([]Spec{spec})
	first := h.running(spec.Name)
	at := h.now()
	if err := h.pool.Restart(spec.Key); err != nil {
		t.Fatal(err)
	}
	if again := h.until(at, spec.Name, isRunning); again.PID == first.PID || again.Attempt != 1 {
		t.Errorf("got %+v", again)
	}
	nobody := Key{Server: "nobody", Node: "node-1"}
	if err := h.pool.Restart(nobody); err == nil {
		t.Error("restarting nobody went well")
	}
	_, err := h.pool.Call(t.Context(), nobody, "x", nil)
	fails(t, err, NoServer)
	_, err = h.pool.Check(t.Context(), nobody)
	fails(t, err, NoServer)
}

func TestReleasedDuringStartAndDuringCall(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	never, endless := fault("never"), fault("endless")
	h.pool.Apply([]Spec{never, endless})
	h.running(endless.Name)
	h.until(0, never.Name, func(r Report) bool { return r.Phase == Handshaking })
	answer := make(chan error, 1)
	go func() {
		_, err := h.pool.Call(context.Background(), endless.Key, "echo", nil)
		answer <- err
	}()
	eventually(t, "the call is under way", func() bool {
		s := h.pool.find(endless.Key)
		return s.link.conn.results().under() > 0
	})
	h.pool.Apply(nil)
	if e := fails(t, <-answer, Lost); !e.Reached {
		t.Errorf("got %+v", e)
	}
	for _, s := range []Spec{never, endless} {
		h.until(0, s.Name, func(r Report) bool { return r.State == Stopped })
	}
	h.nothingLeft()
}

func (t *tap) under() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.waiting)
}

func TestFloodOfStderr(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	spec := fault("flood")
	h.pool.Apply([]Spec{spec})
	h.running(spec.Name)
	at := h.now()
	_, err := h.pool.Call(t.Context(), spec.Key, "echo", nil)
	fails(t, err, Lost)
	r := h.until(at, spec.Name, isFailed)
	if n := len(r.StderrTail); n != tailLines || !strings.HasPrefix(r.StderrTail[n-1], "9999 ") {
		t.Errorf("got %d lines, the last %q", n, r.StderrTail[n-1])
	}
	if !strings.Contains(h.log.String(), `"server_stderr_tail"`) || !strings.Contains(h.log.String(), `"server_stderr"`) {
		t.Error("the log has no stderr")
	}
}

func TestCloseInAHurry(t *testing.T) {
	t.Parallel()
	clock := newStill() // on which the five seconds never pass
	h := newHouse(t, clock)
	h.pool.Apply([]Spec{fault("stubborn")})
	h.running("stubborn")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	h.pool.Close(ctx)
	h.nothingLeft()
	h.pool.Apply([]Spec{fault("rich")})
	if n := len(h.pool.Reports()); n != 0 {
		t.Errorf("a closed pool runs %d", n)
	}
}

func TestSeatsInstanceIsNamedInTheLog(t *testing.T) {
	t.Parallel()
	h := newHouse(t, SystemClock())
	spec := fault("broken")
	spec.Key.Seat = "seat-7"
	shared := fault("rich")
	shared.Key.Server = spec.Key.Server // the same server, without a seat
	h.pool.Apply([]Spec{spec, shared})
	h.until(0, spec.Key.Server, func(r Report) bool { return r.Key == spec.Key && isFailed(r) })
	h.until(0, spec.Key.Server, func(r Report) bool { return r.Key == shared.Key && isRunning(r) })
	eventually(t, "the retry is in the log", func() bool {
		return strings.Contains(h.log.String(), `"msg":"mcp_seat_retry_scheduled","server":"broken","node":"node-1","seat":"seat-7"`)
	})
}
