package client

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// A child that is frozen keeps its pipes open: only a ping tells.
func TestFrozenChildIsStartedAgain(t *testing.T) {
	t.Parallel()
	clock := newStill()
	h := newHouse(t, clock)
	spec := fault("rich")
	h.pool.Apply([]Spec{spec})
	first := h.running(spec.Name)
	if err := syscall.Kill(first.PID, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	at, froze := h.now(), clock.Now()
	var down, again Report
	eventually(t, "it is found frozen and started again", func() bool {
		clock.advance(5 * time.Second)
		for _, r := range h.all()[at:] {
			switch {
			case isFailed(r) && down.Error == "":
				down = r
			case isRunning(r):
				again = r
			}
		}
		return again.PID > 0
	})
	if down.Error != "It does not answer: 3 pings in a row got nothing within 30 seconds each." {
		t.Errorf("got %q", down.Error)
	}
	if took := down.Since.Sub(froze); took < 3*(healthEvery+healthTimeout) {
		t.Errorf("it was given only %s", took)
	}
	if again.PID == first.PID || again.Attempt != 2 {
		t.Errorf("got %+v", again)
	}
}

// One that answers, be it with an error, stays as it is.
func TestIdleChildIsPinged(t *testing.T) {
	t.Parallel()
	clock := newStill()
	h := newHouse(t, clock)
	spec := fault("pinged")
	h.pool.Apply([]Spec{spec})
	first := h.running(spec.Name)
	before := strings.Count(h.log.String(), `"pinged"`) // the probe of discover
	eventually(t, "the ping is set", func() bool { return clock.waits() > 0 })
	clock.advance(healthEvery)
	eventually(t, "it is pinged", func() bool { return strings.Count(h.log.String(), `"pinged"`) > before })
	if _, err := h.pool.Check(t.Context(), spec.Key); err != nil {
		t.Fatal(err)
	}
	if r := h.pool.Reports()[0]; r.State != Running || r.PID != first.PID {
		t.Errorf("got %+v", r)
	}
}

// Notices without pause list at most once a second.
func TestListChangedWithoutPause(t *testing.T) {
	t.Parallel()
	clock := newStill()
	h := newHouse(t, clock)
	spec := fault("storm")
	h.pool.Apply([]Spec{spec})
	h.running(spec.Name)
	storm := func() {
		for range 4 { // 2,000 notices
			if _, err := h.pool.Call(t.Context(), spec.Key, "quiet", nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	began := clock.Now()
	listings := func() int { return strings.Count(h.log.String(), `"listing `) }
	within := func() { // one at the start, one at once, and one for each second
		t.Helper()
		if n, most := listings(), 2+int(clock.Now().Sub(began)/relistPause); n > most {
			t.Errorf("%d listings where at most %d are due", n, most)
		}
	}
	storm()
	eventually(t, "the first is at once", func() bool { return listings() == 2 })
	storm()
	within()
	eventually(t, "the next is a second later", func() bool {
		if listings() > 2 {
			return true
		}
		clock.advance(relistPause / 50)
		return false
	})
	storm()
	within()
}

// waits is how many alarms are set.
func (c *still) waits() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.alarms)
}
