package client

import (
	"context"
	"slices"
	"sync"
	"time"
)

// event moves an instance. Which fields are set depends on its kind.
type event struct {
	kind    kind
	spec    Spec  // replace, rename
	arming  int   // due: which arming of the timer it comes from
	phase   Phase // phase
	pid     int
	link    *link // up, stray
	era     era
	cat     *Catalogue // up, listed
	err     error      // ended
	tail    []string
	skipped Skipped
}

// supervisor owns one instance. Everything but the mailbox, the wanted spec
// and the published part is touched by its own goroutine alone.
type supervisor struct {
	pool *Pool
	key  Key
	mail mailbox

	called *called

	spec     Spec
	era      era
	life     *life
	lives    sync.WaitGroup
	schedule schedule
	arming   int
	disarm   func() bool
	up       bool      // this life came up
	upSince  time.Time // when it did
	downAt   time.Time // when the last life that came up ended; zero before
	phase    Phase     // of the start under way
	phaseAt  time.Time // when it began
	filed    *Catalogue
	hurry    chan struct{}
	hasten   sync.Once

	wanted *Spec // guarded by the pool's lock; nil once retired

	mu      sync.Mutex // guards what others read
	report  Report
	link    *link
	living  *life
	moved   chan struct{} // closed when any of these has changed
	lazy    bool
	startup time.Duration
	calls   int       // under way
	needed  bool      // lazy: somebody called since it last went to rest
	usedAt  time.Time // when the last one ended, or the life came up
}

// mailbox queues events. Posting never waits.
type mailbox struct {
	mu     sync.Mutex
	events []event
	signal chan struct{}
}

func (m *mailbox) post(e event) {
	m.mu.Lock()
	m.events = append(m.events, e)
	m.mu.Unlock()
	select {
	case m.signal <- struct{}{}:
	default:
	}
}

func (m *mailbox) take() (event, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.events) == 0 {
		return event{}, false
	}
	e := m.events[0]
	m.events = m.events[1:]
	return e, true
}

// run handles events until the instance is stopped and nobody wants it.
func (s *supervisor) run() {
	for {
		e, ok := s.mail.take()
		if !ok {
			<-s.mail.signal
			continue
		}
		s.handle(e)
		if s.report.State == Stopped && s.pool.forget(s) {
			s.lives.Wait()
			return
		}
	}
}

// handle makes the one step the table has for an event.
func (s *supervisor) handle(e event) {
	switch e.kind {
	case evReplace, evShelve:
		s.take(e.spec)
	case evRename: // moves nothing, in whatever state
		s.rename(e.spec)
		s.publish(nil)
		return
	}
	if (e.kind == evDue || e.kind == evUnused) && e.arming != s.arming {
		return // of a timer that was disarmed too late
	}
	step, ok := machine[s.report.State][e.kind]
	if !ok {
		return
	}
	if s.report.State != step.to {
		s.update(func(r *Report) { r.State, r.Phase, r.Since = step.to, "", s.pool.clock.Now() })
	}
	step.do(s, e)
	s.publish(e.cat)
}

// take makes a spec the one the next life has.
func (s *supervisor) take(spec Spec) {
	s.spec, s.era = spec, eraUnknown
	s.rename(spec)
	s.update(func(r *Report) {
		r.Print, r.Error, r.StderrTail, r.Fault, r.Challenge = spec.Print, "", nil, "", ""
		s.lazy, s.startup = spec.Lazy, spec.startupTimeout()
	})
}

// startAfresh begins a life as if there had been none before.
func (s *supervisor) startAfresh(e event) {
	s.schedule.reset()
	s.update(func(r *Report) { r.Attempt = 0 })
	s.startAgain(e)
}

// startAgain begins the next life.
func (s *supervisor) startAgain(event) {
	s.stopTimer()
	s.up = false
	s.update(func(r *Report) {
		r.Attempt++
		r.Fault, r.Challenge = "", ""
		r.Phase, r.RetryAt, r.PID = spawning, time.Time{}, 0
		r.Phases, r.Skipped = nil, Skipped{}
	})
	s.phase, s.phaseAt = spawning, s.pool.clock.Now()
	ctx, cancel := context.WithCancelCause(context.Background())
	s.life = &life{
		spec: s.spec, era: s.era, version: s.pool.version, spawner: s.pool.spawner,
		clock: s.pool.clock, called: s.called, tell: s.mail.post, elicit: s.pool.elicit, hidden: s.pool.hidden,
		ctx: ctx, cancel: cancel, hurry: s.hurry,
		checks: make(chan chan<- checked), done: make(chan struct{}),
	}
	s.lives.Go(s.life.live)
}

// end asks the life to end; its last event comes when nothing is left of it.
func (s *supervisor) end(event) {
	s.stopTimer()
	s.withdraw()
	if s.up {
		s.downAt = s.pool.clock.Now()
	}
	s.life.cancel(errStopped)
}

// note only lets the state be told.
func (s *supervisor) note(event) {}

// rest is the end of an instance nobody wants.
func (s *supervisor) rest(event) {
	s.stopTimer()
	s.update(func(r *Report) { r.Error, r.RetryAt, r.PID = "", time.Time{}, 0 })
	s.called.log().Info("mcp_server_retired")
}

func (s *supervisor) advance(e event) {
	s.passed()
	s.phase = e.phase
	s.update(func(r *Report) { r.Phase, r.PID = e.phase, e.pid })
}

// passed notes how long the phase under way took. One that comes again, for
// the child that an older server needs, goes on where it was.
func (s *supervisor) passed() {
	now := s.pool.clock.Now()
	took := now.Sub(s.phaseAt)
	s.phaseAt = now
	s.update(func(r *Report) {
		r.Phases = slices.Clone(r.Phases) // what was reported stays as it was
		for i := range r.Phases {
			if r.Phases[i].Phase == s.phase {
				r.Phases[i].Took += took
				return
			}
		}
		r.Phases = append(r.Phases, Passed{s.phase, took})
	})
}

// heed takes note of what a child prints that is no message.
func (s *supervisor) heed(e event) {
	s.update(func(r *Report) { r.Skipped = e.link.strays.all() })
}

// stopTimer disarms the retry, also one that has fired and waits in the
// mailbox.
func (s *supervisor) stopTimer() {
	s.arming++
	if s.disarm != nil {
		s.disarm()
		s.disarm = nil
	}
}

// withdraw takes the link from callers.
func (s *supervisor) withdraw() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.link, s.living, s.needed = nil, nil, false
}

func (s *supervisor) update(change func(*Report)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.report)
}

// publish tells of the instance as it stands.
func (s *supervisor) publish(cat *Catalogue) {
	s.mu.Lock()
	r := s.report
	close(s.moved)
	s.moved = make(chan struct{})
	s.mu.Unlock()
	r.Catalogue = cat
	s.pool.onReport(r)
}
