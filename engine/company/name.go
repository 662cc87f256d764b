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
