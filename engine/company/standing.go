package company

import (
	"context"
	"fmt"

	"crewlet/config/document"
	"crewlet/db"
	"crewlet/engine/tool"
)

// Standing is a revision and what it says. It is shared: read it, never
// change it.
type Standing struct {
	Revision
	Document *document.Document
}

// Current is the company as it is now: the newest revision, its document, and
// the ids behind the names of its servers and seats. Before the first
// revision the document is empty. What it answers is shared: never change it.
func (s *Company) Current(ctx context.Context, d *db.DB) (Revision, *document.Document, map[string]string, map[string]string, error) {
	now, err := s.standing(ctx, d)
	if err != nil {
		return Revision{}, nil, nil, nil, err
	}
	return now.Revision, now.Document, now.IDs.Servers, now.IDs.Seats, nil
}

// standing reads the newest revision, parsed once.
func (s *Company) standing(ctx context.Context, from reader) (*Standing, error) {
	var id int64
	if err := from.GetContext(ctx, &id, newestID); err != nil {
		return nil, fmt.Errorf("read which revision is the newest: %w", err)
	}
	return s.numbered(ctx, from, id)
}

// StandingIn is the newest revision as a transaction sees it.
func (s *Company) StandingIn(ctx context.Context, tx *db.Tx) (*Standing, error) {
	return s.standing(ctx, tx)
}

// StandingAt is one revision, for those who know its number from the same
// transaction: it is read only when it is not the one held. Revision 0 is the
// empty document there is before the first.
func (s *Company) StandingAt(ctx context.Context, tx *db.Tx, id int64) (*Standing, error) {
	return s.numbered(ctx, tx, id)
}

func (s *Company) numbered(ctx context.Context, from reader, id int64) (*Standing, error) {
	if id == 0 {
		return &Standing{Document: &document.Document{}}, nil
	}
	s.mu.Lock()
	held := s.held
	s.mu.Unlock()
	if held != nil && held.ID == id {
		return held, nil
	}
	rev, err := revision(ctx, from, id)
	if err != nil {
		return nil, err
	}
	return s.parsed(rev)
}

// parsed reads a stored revision and holds it when it is newer than the one
// held.
func (s *Company) parsed(rev Revision) (*Standing, error) {
	doc, problems := document.Parse([]byte(rev.Text))
	if err := problems.Or(); err != nil {
		return nil, fmt.Errorf("revision %d cannot be applied by this version: %w", rev.ID, err)
	}
	now := &Standing{Revision: rev, Document: doc}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held == nil || s.held.ID < rev.ID {
		s.held = now
	}
	return now, nil
}

// ReferencesIn answers where the document uses which ${NAME}, as a call
// sees it: name to places such as mcp_servers[2].env.TOKEN.
func (s *Company) ReferencesIn(ctx context.Context, c *tool.Call) (map[string][]string, error) {
	now, err := s.at(ctx, c)
	if err != nil {
		return nil, err
	}
	used := map[string][]string{}
	for _, ref := range document.References(now.Document) {
		used[ref.Name] = append(used[ref.Name], ref.Path)
	}
	return used, nil
}
