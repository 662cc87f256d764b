package client

import "time"

// use is what a call that looks for a link finds.
type use struct {
	link   *link
	life   *life
	report Report
	wait   bool          // it may come: look again when moved is closed
	limit  time.Duration // how long to wait at most
	moved  chan struct{}
}

// use finds the instance's link and counts the call on it. after is a link
// that is no longer wanted. A lazy instance that is idle is woken, and one
// that starts only to be listed stays for the call.
func (s *supervisor) use(after *link, waiting bool) use {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.needed = true
	u := use{report: s.report, moved: s.moved, limit: s.startup}
	if s.link != nil && s.link != after {
		s.calls++
		u.link, u.life = s.link, s.living
		return u
	}
	switch s.report.State {
	case Running:
		u.wait = true // a new session is on its way
	case Idle, Resting:
		u.wait = true
		s.mail.post(event{kind: evWake})
	case Stopped, Starting, Replacing: // stopped and wanted: it is about to start
		u.wait = s.lazy || waiting
	}
	return u
}

// done ends a use.
func (s *supervisor) done() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls--
	s.usedAt = s.pool.clock.Now()
}

func (s *supervisor) name() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.report.Name
}

// armIdle begins to watch whether a lazy instance is used.
func (s *supervisor) armIdle(wait time.Duration) {
	arming := s.arming
	s.disarm = s.pool.clock.AfterFunc(wait, func() { s.mail.post(event{kind: evUnused, arming: arming}) })
}

// sleep stops a lazy instance that nobody has called for long enough, or at
// all, and looks again later otherwise.
func (s *supervisor) sleep(event) {
	s.mu.Lock()
	rest := s.spec.idleStop() - s.pool.clock.Now().Sub(s.usedAt)
	switch {
	case s.calls > 0:
		rest = s.spec.idleStop()
	case !s.needed:
		rest = 0
	}
	if rest <= 0 {
		s.needed = false
		s.link, s.living = nil, nil // from here on no call begins
		s.report.State, s.report.Since = Resting, s.pool.clock.Now()
	}
	s.mu.Unlock()
	if rest > 0 {
		s.armIdle(rest)
		return
	}
	s.stopTimer()
	s.called.log().Info("mcp_server_idle")
	s.downAt = s.pool.clock.Now()
	s.life.cancel(errStopped)
}

// doze is the end of a life that nobody needs now.
func (s *supervisor) doze(event) {
	s.update(func(r *Report) { r.Error, r.RetryAt, r.PID = "", time.Time{}, 0 })
}
