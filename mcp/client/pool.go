package client

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
)

// Options is what a pool is built on.
type Options struct {
	Spawner *Spawner     // required for stdio; it outlives the pool
	Clock   Clock        // nil for the machine's own
	Log     *slog.Logger // written to from one goroutine; one that blocks holds up nothing
	Version string       // how we identify ourselves, beside the name crewlet
	// OnReport is told of every change of every instance. It is called from
	// the instance's own goroutine, in order for each key, and may not call
	// back into Close; what it does slowly, that instance waits for.
	OnReport func(Report)
	// Elicit asks a person for what a server wants to know during a call; nil,
	// as an answer or in its place, declines.
	Elicit func(context.Context, Elicitation) *Answer
	// Hidden are values that no server's words are passed on with, beside those
	// of its own spec; nil for none.
	Hidden *Hidden
	// Dice gives numbers in [0,1) for the jitter of retries; nil for random.
	Dice func() float64
}

// Pool keeps one supervised child per spec that was applied last.
type Pool struct {
	spawner  *Spawner
	clock    Clock
	log      *slog.Logger
	words    *logQueue // what log waits in
	version  string
	onReport func(Report)
	dice     func() float64
	elicit   func(context.Context, Elicitation) *Answer
	hidden   *Hidden

	mu      sync.Mutex
	all     map[Key]*supervisor
	closed  bool
	runners sync.WaitGroup
}

// NewPool returns a pool that runs nothing yet.
func NewPool(o Options) *Pool {
	if o.Clock == nil {
		o.Clock = SystemClock()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.OnReport == nil {
		o.OnReport = func(Report) {}
	}
	if o.Dice == nil {
		o.Dice = rand.Float64
	}
	log, words := newLogQueue(o.Log)
	return &Pool{
		spawner: o.Spawner, clock: o.Clock, log: log, words: words, version: o.Version,
		onReport: o.OnReport, dice: o.Dice, elicit: o.Elicit, hidden: o.Hidden, all: map[Key]*supervisor{},
	}
}

// Apply makes specs the ones that run: new ones start, changed ones restart,
// those that are gone stop, the same ones stay as they are, except that one
// that is down is tried at once with a fresh schedule. One that has another
// name and is otherwise the same stays too, and is called by it. It waits for
// none of this. Of two specs with one key the last counts.
func (p *Pool) Apply(specs []Spec) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	wanted := map[Key]bool{}
	for _, spec := range specs {
		wanted[spec.Key] = true
		p.want(spec)
	}
	for key, s := range p.all {
		if !wanted[key] {
			s.retire()
		}
	}
}

func (p *Pool) want(spec Spec) {
	s := p.all[spec.Key]
	if s == nil {
		s = p.newSupervisor(spec)
		p.all[spec.Key] = s
		p.runners.Go(s.run)
	}
	if s.wanted != nil && s.wanted.Equal(spec) {
		if s.wanted.Name != spec.Name {
			s.wanted = &spec
			s.mail.post(event{kind: evRename, spec: spec})
		}
		s.mail.post(event{kind: evApply})
		return
	}
	how := evReplace
	if s.wanted == nil && spec.Lazy && spec.Listed {
		how = evShelve
	}
	s.wanted = &spec
	s.mail.post(event{kind: how, spec: spec})
}

func (p *Pool) newSupervisor(spec Spec) *supervisor {
	return &supervisor{
		pool: p, key: spec.Key, called: p.titled(spec), hurry: make(chan struct{}),
		mail: mailbox{signal: make(chan struct{}, 1)}, moved: make(chan struct{}),
		report: Report{Key: spec.Key, Name: spec.Name, State: Stopped}, lazy: spec.Lazy, startup: spec.startupTimeout(),
	}
}

// retire is called under the pool's lock.
func (s *supervisor) retire() {
	if s.wanted != nil {
		s.wanted = nil
		s.mail.post(event{kind: evRetire})
	}
}

// forget drops a stopped instance unless it was wanted again meanwhile.
func (p *Pool) forget(s *supervisor) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.wanted != nil {
		return false
	}
	delete(p.all, s.key)
	return true
}

// Restart stops an instance and starts it again, or tries it at once when it
// is down. It errs when no such instance is wanted.
func (p *Pool) Restart(key Key) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.all[key]
	if s == nil || s.wanted == nil {
		return fmt.Errorf("restart %s: no such server is running here", key.Server)
	}
	s.mail.post(event{kind: evRestart})
	return nil
}

// Reports is every instance as it stands now, without catalogues.
func (p *Pool) Reports() []Report {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := make([]Report, 0, len(p.all))
	for _, s := range p.all {
		s.mu.Lock()
		all = append(all, s.report)
		s.mu.Unlock()
	}
	return all
}

// Close stops every instance: its group is asked with TERM and killed after
// 5 s, or at once when ctx ends. It returns when no process and no goroutine
// of the pool is left, save for one that writes to a log which blocks.
func (p *Pool) Close(ctx context.Context) {
	p.mu.Lock()
	p.closed = true
	for _, s := range p.all {
		s.retire()
	}
	p.mu.Unlock()
	unhook := context.AfterFunc(ctx, p.hurry)
	defer unhook()
	p.runners.Wait()
	p.words.flush(lastWords)
}

func (p *Pool) hurry() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.all {
		s.hasten.Do(func() { close(s.hurry) })
	}
}

// logFor is the log of one instance: every record says which.
func (p *Pool) logFor(spec Spec) *slog.Logger {
	log := p.log.With("server", spec.Name, "node", spec.Key.Node)
	if spec.Key.Seat != "" {
		log = log.With("seat", spec.Key.Seat)
	}
	return log
}

// find is the supervisor of a key that is wanted, or nil.
func (p *Pool) find(key Key) *supervisor {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.all[key]
	if s == nil || s.wanted == nil {
		return nil
	}
	return s
}

var errNoInstance = errors.New("no such server runs here")

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
