package client

import (
	"strings"
	"sync"
	"testing"
	"time"
)

func isIdle(r Report) bool { return r.State == Idle }

// A lazy server runs until it is listed and while it is called, and else does
// not.
func TestLazyServer(t *testing.T) {
	t.Parallel()
	clock := newStill()
	h := newHouse(t, clock)
	spec := fault("rich")
	spec.Lazy, spec.IdleStop = true, 10*time.Minute
	h.pool.Apply([]Spec{spec})
	listed := h.until(0, "rich", func(r Report) bool { return r.Catalogue != nil })
	if listed.State != Resting {
		t.Errorf("after its listing it is %s", listed.State)
	}
	if r := h.until(0, "rich", isIdle); r.Error != "" || r.PID != 0 {
		t.Errorf("got %+v", r)
	}
	h.nothingLeft()

	at := h.now()
	var calls sync.WaitGroup
	for range 5 {
		calls.Go(func() {
			if res, err := h.pool.Call(t.Context(), spec.Key, "echo", nil); err != nil || !strings.Contains(string(res.Raw), "hologram") {
				t.Errorf("got %+v %v", res, err)
			}
		})
	}
	calls.Wait()
	if r := h.until(at, "rich", isRunning); r.Attempt != 1 || r.Catalogue.Digest != listed.Catalogue.Digest {
		t.Errorf("got %+v", r)
	}

	clock.advance(spec.IdleStop / 2)
	if _, err := h.pool.Call(t.Context(), spec.Key, "echo", nil); err != nil {
		t.Error(err)
	}
	clock.advance(spec.IdleStop / 2) // since the start, but not since the last call
	if r := h.pool.Reports()[0]; r.State != Running {
		t.Errorf("it was stopped while it was used: %+v", r)
	}
	at = h.now()
	h.rests(clock, at, spec)
	h.pool.Apply(nil)
	h.until(at, "rich", func(r Report) bool { return r.State == Stopped })
}

// A lazy server whose tools are known is not started before it is called, and
// one whose spec is another is started to be listed.
func TestLazyServerThatIsKnown(t *testing.T) {
	t.Parallel()
	h := newHouse(t, newStill())
	spec := fault("rich")
	spec.Lazy, spec.Listed, spec.Print = true, true, "one"
	h.pool.Apply([]Spec{spec})
	if r := h.until(0, "rich", func(Report) bool { return true }); r.State != Idle || r.Print != "one" {
		t.Errorf("got %+v", r)
	}
	h.nothingLeft()
	if res, err := h.pool.Call(t.Context(), spec.Key, "echo", nil); err != nil || !strings.Contains(string(res.Raw), "hologram") {
		t.Errorf("got %+v %v", res, err)
	}
	if r := h.running("rich"); r.Attempt != 1 || r.Print != "one" {
		t.Errorf("got %+v", r)
	}

	spec.Args, spec.Listed, spec.Print = append(spec.Args, "more"), false, "two"
	at := h.now()
	h.pool.Apply([]Spec{spec})
	if r := h.until(at, "rich", func(r Report) bool { return r.Catalogue != nil }); r.State != Resting || r.Print != "two" {
		t.Errorf("got %+v", r)
	}
}

// A call that takes long keeps its server; one that cannot start it says why.
func TestLazyServerUnderCalls(t *testing.T) {
	t.Parallel()
	clock := newStill()
	h := newHouse(t, clock)
	spec, broken := fault("endless"), fault("broken")
	spec.Lazy, spec.IdleStop, spec.CallTimeout = true, time.Minute, time.Hour
	broken.Lazy = true
	h.pool.Apply([]Spec{spec, broken})
	done := make(chan error, 1)
	go func() {
		_, err := h.pool.Call(t.Context(), spec.Key, "echo", nil)
		done <- err
	}()
	h.running("endless")
	eventually(t, "the call is under way, and written", func() bool {
		return strings.Contains(h.log.String(), `"line":"called"`) && !clock.awaits(writeTimeout)
	})
	for range 5 {
		clock.advance(time.Minute)
	}
	h.until(0, "broken", isFailed)
	_, err := h.pool.Call(t.Context(), broken.Key, "echo", nil)
	if e := fails(t, err, Down); !strings.Contains(e.Says, "exit status 3") {
		t.Errorf("got %q", e.Says)
	}
	select {
	case err := <-done:
		t.Fatalf("the call was ended: %v", err)
	default:
	}
	clock.advance(time.Hour)
	fails(t, <-done, TimedOut)
	h.rests(clock, h.now(), spec)
}

// rests has the time pass until a lazy server is stopped. Once may not do: the
// supervisor sets its alarm anew when it was used, behind the clock's back.
func (h *house) rests(clock *still, at int, spec Spec) {
	h.t.Helper()
	eventually(h.t, spec.Name+" is stopped", func() bool {
		for _, r := range h.all()[at:] {
			if r.Name == spec.Name && isIdle(r) {
				return true
			}
		}
		clock.advance(spec.IdleStop / 2)
		return false
	})
}
