package servers

import "crewlet/engine/secrets"

// hide keeps every sealed value out of what servers say from now on, whomever
// it belongs to. That is apart from the values each of them is started with:
// one that changes restarts nobody who is not given it.
func (s *Servers) hide(stored map[string]secrets.Value) {
	values := make([]string, 0, len(stored))
	for _, v := range stored {
		values = append(values, v.Plain)
	}
	s.hidden.Set(values)
}
