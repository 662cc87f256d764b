package client

import (
	"slices"
	"sync"
	"time"
)

// still is a clock that moves only when it is told to.
type still struct {
	mu     sync.Mutex
	now    time.Time
	alarms []*alarm
	armed  int // alarms ever set
}

type alarm struct {
	at  time.Time
	f   func()
	set time.Duration
}

func newStill() *still { return &still{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)} }

func (c *still) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *still) AfterFunc(d time.Duration, f func()) func() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := &alarm{c.now.Add(d), f, d}
	c.alarms = append(c.alarms, a)
	c.armed++
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		i := slices.Index(c.alarms, a)
		if i >= 0 {
			c.alarms = slices.Delete(c.alarms, i, i+1)
		}
		return i >= 0
	}
}

// advance moves the time and runs what is due, in order.
func (c *still) advance(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	slices.SortStableFunc(c.alarms, func(a, b *alarm) int { return a.at.Compare(b.at) })
	var due []func()
	for len(c.alarms) > 0 && !c.alarms[0].at.After(c.now) {
		due = append(due, c.alarms[0].f)
		c.alarms = c.alarms[1:]
	}
	c.mu.Unlock()
	for _, f := range due {
		f()
	}
}

// awaits reports whether an alarm that was set for so long has yet to ring.
func (c *still) awaits(d time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.alarms, func(a *alarm) bool { return a.set == d })
}

// quiet reports whether that many alarms were ever set and how many wait.
func (c *still) quiet(armed, waiting int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.armed >= armed && len(c.alarms) == waiting
}
