package client

import (
	"testing"
	"time"
)

func TestScheduleOfRestarts(t *testing.T) {
	t.Parallel()
	type fall struct {
		up, wait time.Duration
	}
	for name, c := range map[string]struct {
		dice  float64
		falls []fall
	}{
		"starts that fail": {0.5, []fall{{0, 0}, {0, 15 * time.Second}, {0, 30 * time.Second}, {0, time.Minute},
			{0, 2 * time.Minute}, {0, 4 * time.Minute}, {0, 5 * time.Minute}, {0, 5 * time.Minute}}},
		"short lives":         {0.5, []fall{{time.Second, 0}, {299 * time.Second, 15 * time.Second}, {0, 30 * time.Second}}},
		"a long life":         {0.5, []fall{{0, 0}, {0, 15 * time.Second}, {5 * time.Minute, 0}, {0, 15 * time.Second}}},
		"a fifth less":        {0, []fall{{0, 0}, {0, 12 * time.Second}, {0, 24 * time.Second}}},
		"nearly a fifth more": {0.999, []fall{{0, 0}, {0, 15*time.Second + 2994*time.Millisecond}}},
		"the longest jitters too": {0, []fall{{0, 0}, {0, 12 * time.Second}, {0, 24 * time.Second}, {0, 48 * time.Second},
			{0, 96 * time.Second}, {0, 192 * time.Second}, {0, 4 * time.Minute}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s schedule
			for i, f := range c.falls {
				if got := s.after(f.up, c.dice); got != f.wait {
					t.Errorf("fall %d after %s up: waits %s, want %s", i+1, f.up, got, f.wait)
				}
			}
		})
	}
}

func TestScheduleResets(t *testing.T) {
	t.Parallel()
	var s schedule
	s.after(0, 0.5)
	s.after(0, 0.5)
	s.reset()
	if got := s.after(0, 0.5); got != 0 {
		t.Errorf("the first failure after a reset waits %s, want none", got)
	}
}
