package client

import (
	"slices"
	"sync"
)

// keptLines is how many of the lines that are no message are kept to be shown.
const keptLines = 5

// Skipped are the lines on a child's stdout that were no JSON-RPC.
type Skipped struct {
	Count int
	First []string // the first of them, cut and redacted
}

// strays gathers them while the child lives.
type strays struct {
	mu  sync.Mutex
	now Skipped
}

// add takes one more and reports whether it is worth telling: one that is kept,
// or one with which their number has doubled.
func (s *strays) add(line string) (news bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now.Count++
	if len(s.now.First) < keptLines {
		s.now.First = append(s.now.First, line)
		return true
	}
	return s.now.Count&(s.now.Count-1) == 0
}

// all is a copy of what was gathered so far.
func (s *strays) all() Skipped {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Skipped{s.now.Count, slices.Clone(s.now.First)}
}
