package company

import (
	"context"

	"crewlet/engine/changes"
	"crewlet/engine/tool"
)

// window is the stretch of the log over which the held revision is known to be
// the newest: a read whose snapshot stands inside it needs no query to know
// the company. The change feed moves its end; a new revision closes it.
type window struct {
	held     *Standing
	from, to int64 // positions, both inside
}

// Hear takes rows of the change feed, in order.
func (s *Company) Hear(rows []changes.Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, row := range rows {
		if s.known.held == nil || row.Position != s.known.to+1 {
			continue // known already, or a stretch nobody looked at
		}
		if row.Kind == revisedKind {
			return
		}
		s.known.to = row.Position
	}
}

// At is the company as a call sees it: shared, never to be changed. A read in
// whose stretch of the log nothing moved needs no query.
func (s *Company) At(ctx context.Context, c *tool.Call) (*Standing, error) { return s.at(ctx, c) }

// at is the company as a call's snapshot sees it.
func (s *Company) at(ctx context.Context, c *tool.Call) (*Standing, error) {
	asOf := c.Landed.Position // a read's; a write has none yet, and asks
	s.mu.Lock()
	known := s.known
	s.mu.Unlock()
	if asOf > 0 && known.held != nil && known.from <= asOf && asOf <= known.to {
		return known.held, nil
	}
	now, err := s.standing(ctx, c.Tx)
	if err != nil || asOf == 0 {
		return now, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known.held == nil || asOf > s.known.to {
		s.known = window{held: now, from: asOf, to: asOf}
	}
	return now, nil
}
