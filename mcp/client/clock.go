package client

import "time"

// A Clock tells the time and calls back later. The program runs on
// [SystemClock]; tests put their own in its place, so none waits for real
// minutes.
type Clock interface {
	Now() time.Time
	// AfterFunc calls f on a goroutine of its own once d has passed. The
	// function returned disarms it and reports whether it did so in time.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

type systemClock struct{}

// SystemClock is the machine's own clock.
func SystemClock() Clock { return systemClock{} }

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) AfterFunc(d time.Duration, f func()) func() bool {
	return time.AfterFunc(d, f).Stop
}
