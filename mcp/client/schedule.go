package client

import "time"

// The restart schedule. A child that stayed up for steadyAfter is taken for
// sound: its death is its first.
const (
	steadyAfter = 5 * time.Minute
	firstWait   = 15 * time.Second
	longestWait = 5 * time.Minute
	jitterShare = 0.2
)

// schedule counts the failures in a row of one instance.
type schedule struct {
	failures int
}

// after takes note of one more failure, of an instance that was up that long
// (0 for a start that failed), and says how long to wait before the next
// start. dice in [0,1) moves the wait by up to a fifth either way, so that
// what fell together does not rise together.
func (s *schedule) after(up time.Duration, dice float64) time.Duration {
	if up >= steadyAfter {
		s.failures = 0
	}
	s.failures++
	if s.failures == 1 {
		return 0
	}
	wait := firstWait
	for i := 2; i < s.failures && wait < longestWait; i++ {
		wait *= 2
	}
	wait = min(wait, longestWait)
	return wait + time.Duration((2*dice-1)*jitterShare*float64(wait))
}

func (s *schedule) reset() { s.failures = 0 }
