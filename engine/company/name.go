package company

// Name is the company's name as this node last read it, for the head of every
// page: it costs no query. "" before the first revision was read.
func (s *Company) Name() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held == nil {
		return ""
	}
	return s.held.Document.Name
}

// heldID is the number of the revision this node last read.
func (s *Company) heldID() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held == nil {
		return 0
	}
	return s.held.ID
}

// elsewhere is the tracker's backend of a company that keeps its work in
// another program.
const elsewhere = "none"

// TracksWork reports whether the company keeps its work here, as this node last
// read it. It costs no query, so every door may ask.
func (s *Company) TracksWork() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held == nil || s.held.Document.Tracker.Backend != elsewhere
}
