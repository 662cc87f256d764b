package identity

import (
	"context"
	"sync"
	"time"

	"crewlet/engine/refusal"
)

const (
	hashing  = 2  // hashes made at once: 128 MiB
	waiting  = 50 // callers at once, those being served included
	perPlace = 4  // of them from one source: nobody fills the line alone
)

// line is where callers wait for their turn to hash.
type line struct {
	slots chan struct{}

	mu     sync.Mutex
	all    int
	places map[string]int // by source
}

func newLine() *line {
	return &line{slots: make(chan struct{}, hashing), places: map[string]int{}}
}

// enter waits for a turn. It refuses at once where the line, or the source's
// part of it, is full.
func (l *line) enter(ctx context.Context, source string) (leave func(), err error) {
	if !l.join(source) {
		return nil, refusal.Unavailable.Say("Many people are signing in at this moment. Try again in a few seconds.").After(3 * time.Second)
	}
	select {
	case l.slots <- struct{}{}:
		return func() { <-l.slots; l.depart(source) }, nil
	case <-ctx.Done():
		l.depart(source)
		return nil, ctx.Err()
	}
}

func (l *line) join(source string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all >= waiting || l.places[source] >= perPlace {
		return false
	}
	l.all++
	l.places[source]++
	return true
}

func (l *line) depart(source string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all--
	if l.places[source]--; l.places[source] == 0 {
		delete(l.places, source)
	}
}

// length is how many are in line, those being served included.
func (l *line) length() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all
}
