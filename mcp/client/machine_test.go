package client

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// Every pair of state and event, and where it leads. What is not written here
// must leave the state as it is.
func TestEveryTransition(t *testing.T) {
	t.Parallel()
	want := map[State]map[kind]State{
		Stopped:   {evReplace: Starting, evShelve: Idle},
		Starting:  {evReplace: Replacing, evRestart: Replacing, evRetire: Stopping, evPhase: Starting, evStray: Starting, evUp: Running, evEnded: Failed},
		Running:   {evReplace: Replacing, evRestart: Replacing, evRetire: Stopping, evListed: Running, evStray: Running, evRenewed: Running, evUnused: Running, evEnded: Failed},
		Resting:   {evReplace: Replacing, evRestart: Replacing, evWake: Replacing, evRetire: Stopping, evEnded: Idle},
		Idle:      {evReplace: Starting, evRestart: Starting, evWake: Starting, evRetire: Stopped},
		Failed:    {evReplace: Starting, evApply: Starting, evRestart: Starting, evDue: Starting, evRetire: Stopped},
		Replacing: {evRetire: Stopping, evEnded: Starting},
		Stopping:  {evReplace: Replacing, evShelve: Replacing, evEnded: Stopped},
	}
	kinds := []kind{evReplace, evShelve, evApply, evRename, evRestart, evRetire, evWake, evDue, evUnused, evPhase, evStray, evUp, evRenewed, evListed, evEnded}
	for state := range want {
		for _, k := range kinds {
			step, ok := machine[state][k]
			if to, known := want[state][k]; ok != known || step.to != to {
				t.Errorf("%s in %s leads to %q, want %q", k, state, step.to, to)
			}
		}
	}
	if len(machine) != len(want) {
		t.Errorf("the table has %d states, want %d", len(machine), len(want))
	}
}

// walker drives one supervisor by hand: its lives are real, but of a command
// that does not exist, and every event of theirs is made here.
type walker struct {
	t     *testing.T
	clock *still
	s     *supervisor
	told  []Report
}

func newWalker(t *testing.T) *walker {
	w := &walker{t: t, clock: newStill()}
	pool := NewPool(Options{Clock: w.clock, OnReport: func(r Report) { w.told = append(w.told, r) }, Dice: func() float64 { return 0.5 }})
	w.s = pool.newSupervisor(Spec{})
	return w
}

// begin starts a spec; its command is not found, so the life's own end is the
// one event that comes from it.
func (w *walker) begin() {
	w.s.handle(event{kind: evReplace, spec: Spec{Name: "s", Command: "no-such-command"}})
	w.swallow()
}

// swallow waits for the life and drops what it told.
func (w *walker) swallow() {
	w.s.lives.Wait()
	for _, ok := w.s.mail.take(); ok; _, ok = w.s.mail.take() {
	}
}

// fail lets the start under way fail and checks when the next is due.
func (w *walker) fail(wait time.Duration) {
	w.t.Helper()
	w.s.handle(event{kind: evEnded, err: errors.New("no luck")})
	r := w.s.report
	if r.State != Failed || !r.RetryAt.Equal(w.clock.Now().Add(wait)) || r.Error != "No luck." {
		w.t.Fatalf("got %+v, want a retry in %s", r, wait)
	}
}

// due moves the clock to just before the retry, then to it.
func (w *walker) due(wait time.Duration) {
	w.t.Helper()
	if wait > 0 {
		w.clock.advance(wait - time.Millisecond)
		if e, ok := w.s.mail.take(); ok {
			w.t.Fatalf("too early: %s", e.kind)
		}
	}
	w.clock.advance(time.Millisecond)
	e, ok := w.s.mail.take()
	if !ok || e.kind != evDue {
		w.t.Fatalf("after %s nothing is due", wait)
	}
	w.s.handle(e)
	w.swallow()
	if w.s.report.State != Starting {
		w.t.Fatalf("got %s, want a start", w.s.report.State)
	}
}

func TestRestartsOnTheSchedule(t *testing.T) {
	t.Parallel()
	w := newWalker(t)
	w.begin()
	for i, wait := range []time.Duration{0, 15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 5 * time.Minute, 5 * time.Minute} {
		if w.s.report.Attempt != i+1 {
			t.Errorf("got attempt %d, want %d", w.s.report.Attempt, i+1)
		}
		w.fail(wait)
		w.due(wait)
	}
}

func TestApplyAndRestartResetTheSchedule(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]event{
		"the same spec again": {kind: evApply},
		"restart now":         {kind: evRestart},
		"another spec":        {kind: evReplace, spec: Spec{Name: "s", Command: "no-such-command", Args: []string{"x"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWalker(t)
			w.begin()
			for _, wait := range []time.Duration{0, 15 * time.Second} {
				w.fail(wait)
				w.due(wait)
			}
			w.fail(30 * time.Second)
			w.s.handle(e)
			w.swallow()
			if r := w.s.report; r.State != Starting || r.Attempt != 1 {
				t.Fatalf("got %+v, want a first attempt at once", r)
			}
			w.clock.advance(time.Hour)
			if e, ok := w.s.mail.take(); ok {
				t.Errorf("the old retry is still armed: %s", e.kind)
			}
			w.fail(0)
		})
	}
}

// Each phase of a start is timed apart; the handshakes of the two children an
// older server needs count as one.
func TestPhasesAreTimed(t *testing.T) {
	t.Parallel()
	w := newWalker(t)
	w.begin()
	for _, p := range []Phase{Handshaking, Handshaking, Listing} {
		w.clock.advance(2 * time.Second)
		w.s.handle(event{kind: evPhase, phase: p})
	}
	early := w.told[len(w.told)-1]
	w.clock.advance(5 * time.Second)
	w.fail(0)
	want := []Passed{{spawning, 2 * time.Second}, {Handshaking, 4 * time.Second}, {Listing, 5 * time.Second}}
	if got := w.s.report.Phases; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if !slices.Equal(early.Phases, want[:2]) {
		t.Errorf("what was told before is now %v", early.Phases)
	}
	w.due(0)
	if r := w.s.report; len(r.Phases) != 0 {
		t.Errorf("the next start begins with %v", r.Phases)
	}
}

func TestWhatCannotLaunchIsNotRetried(t *testing.T) {
	t.Parallel()
	w := newWalker(t)
	w.begin()
	w.s.handle(event{kind: evEnded, err: errHopeless})
	w.clock.advance(time.Hour)
	if e, ok := w.s.mail.take(); ok || !w.s.report.RetryAt.IsZero() || w.s.report.State != Failed {
		t.Errorf("got %+v %v, want failed for good", w.s.report, e)
	}
}

func TestRetiredWhileDownRestsAndDisarms(t *testing.T) {
	t.Parallel()
	w := newWalker(t)
	w.begin()
	w.fail(0)
	w.s.handle(event{kind: evRetire})
	w.clock.advance(time.Hour)
	if e, ok := w.s.mail.take(); ok || w.s.report.State != Stopped {
		t.Errorf("got %s, %v", w.s.report.State, e.kind)
	}
	if last := w.told[len(w.told)-1]; last.State != Stopped || last.Error != "" {
		t.Errorf("last told %+v", last)
	}
}
