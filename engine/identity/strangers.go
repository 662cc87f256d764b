package identity

import (
	"crypto/sha256"
	"sync"
	"time"

	"crewlet/engine/refusal"
)

const (
	strangerTries = 30          // wrong tokens from one source before it has to wait
	strangerWait  = time.Minute // from the first of them
	knownFor      = time.Hour   // a token that was right is not made to wait
	sourcesLimit  = 10_000      // sources, and tokens, remembered at once
)

// strangers keeps sources that send wrong tokens from asking the database for
// each. A token that was right here within the hour never waits, so whoever
// shares an address with a stranger works on. In memory, per node.
type strangers struct {
	mu      sync.Mutex
	sources map[string]*wrongs
	known   map[[sha256.Size]byte]time.Time
}

type wrongs struct {
	count int
	since time.Time
}

func newStrangers() *strangers {
	return &strangers{sources: map[string]*wrongs{}, known: map[[sha256.Size]byte]time.Time{}}
}

// wait refuses a token from a source that sent too many wrong ones.
func (s *strangers) wait(source string, sum [sha256.Size]byte, now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.sources[source]
	if w == nil || now.Sub(w.since) >= strangerWait || w.count < strangerTries || now.Sub(s.known[sum]) < knownFor {
		return nil
	}
	left := strangerWait - now.Sub(w.since)
	return refusal.RateLimited.Say("Too many tokens from this address were wrong. Try again in a minute.").After(left)
}

func (s *strangers) wrong(source string, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.sources[source]
	if w == nil || now.Sub(w.since) >= strangerWait {
		if len(s.sources) >= sourcesLimit {
			clear(s.sources)
		}
		w = &wrongs{since: now}
		s.sources[source] = w
	}
	w.count++
}

func (s *strangers) right(sum [sha256.Size]byte, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.known) >= sourcesLimit {
		clear(s.known)
	}
	s.known[sum] = now
}
