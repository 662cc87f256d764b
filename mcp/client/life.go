package client

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// shortestStream is how long a stream lasts that is opened again at once when
// it ends; one that ends sooner is a server that is failing.
const shortestStream = 10 * time.Second

// life is one life of an instance: from its start, with the second child that
// an older server needs, to the last process of its last group.
type life struct {
	spec    Spec
	era     era
	version string
	spawner *Spawner
	clock   Clock
	called  *called
	tell    func(event) // never blocks
	elicit  func(context.Context, Elicitation) *Answer
	hidden  *Hidden

	ctx    context.Context // ends when we end the life
	cancel context.CancelCauseFunc
	hurry  <-chan struct{} // closed when the polite wait is cut short
	checks chan chan<- checked
	done   chan struct{} // closed when nothing is left
}

// checked is the answer to a check.
type checked struct {
	cat *Catalogue
	err error
}

// live runs the life to its end and tells of each turn. A session that the
// server forgot is followed by a new one within the same life.
func (v *life) live() {
	defer close(v.done)
	l, cat, err := v.start()
	turn := evUp
	for err == nil {
		since := v.clock.Now() // before anybody can know of it
		v.tell(event{kind: turn, link: l, cat: cat, era: v.era})
		err = v.watch(l, cat.Digest)
		l.close(v.clock, v.hurry)
		lost, ok := errors.AsType[lostSession](err)
		if !ok || lost == errStreamEnded && v.clock.Now().Sub(since) < shortestStream {
			break
		}
		v.called.log().Info("server_session_lost", "cause", err.Error())
		turn = evRenewed
		if l, cat, err = v.start(); err != nil && v.ctx.Err() == nil {
			err = fmt.Errorf("%w, and no new session could begin: %w", lost, err)
		}
	}
	ended := event{kind: evEnded, err: err}
	if l != nil {
		ended.tail, ended.skipped = l.stderr.last(), l.strays.all()
	}
	v.tell(ended)
}

// start brings up a child and its first catalogue. On an error the link is
// closed, and there only for its last words.
func (v *life) start() (*link, *Catalogue, error) {
	l, err := v.connect()
	if err != nil {
		return l, nil, err
	}
	v.tell(event{kind: evPhase, phase: Listing, pid: l.pid()})
	cat, err := v.list(l)
	if err != nil {
		err = v.unless(l.startFailure(err))
		l.close(v.clock, v.hurry)
		return l, nil, err
	}
	return l, cat, nil
}

// connect finds the era when it is not known: the newer one is tried on a
// child of its own, and what refuses it, ends or says nothing gets a fresh
// child and the older one.
func (v *life) connect() (*link, error) {
	if v.spec.transport() == SSE {
		v.era = eraInitialize // it is older than the other
	}
	if v.era != eraUnknown {
		return v.dial(v.era, false)
	}
	l, err := v.dial(eraSessionless, true)
	if err == nil {
		v.era = eraSessionless
		return l, nil
	}
	if l == nil || final(err) {
		return l, err
	}
	v.called.log().Debug("server_probe_failed", "error", l.redact.line(err.Error()))
	silent := errors.Is(err, errSilentProbe)
	l, err = v.dial(eraInitialize, false)
	if _, no := errors.AsType[refused](err); no && silent {
		// It does speak, but not this: the probe was only too slow for it.
		if l, err = v.dial(eraSessionless, false); err == nil {
			v.era = eraSessionless
		}
		return l, err
	}
	if err == nil {
		v.era = eraInitialize
	}
	return l, err
}

// final reports that the failure of a probe says nothing of the era: another
// try in the other one would fail the same way.
func final(err error) bool {
	if said, ok := errors.AsType[*answered](err); ok {
		return said.settled()
	}
	_, slow := errors.AsType[late](err)
	_, away := errors.AsType[unreachable](err)
	_, banned := errors.AsType[forbidden](err)
	_, moved := errors.AsType[strayed](err)
	return slow || away || banned || moved || errors.Is(err, errStopped)
}

// dial starts one child and begins a session with it. On an error the link is
// closed; it is nil when no child was started.
func (v *life) dial(e era, probing bool) (*link, error) {
	l, err := v.open()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(v.ctx)
	end := v.watchStart(l, probing, cancel)
	err = l.shakeHands(ctx, e, v.version)
	end()
	cancel(nil)
	if err != nil {
		err = v.unless(l.startFailure(err))
		l.close(v.clock, v.hurry)
		return l, err
	}
	return l, nil
}

// unless keeps an error unless we ourselves are the cause.
func (v *life) unless(err error) error {
	if v.ctx.Err() != nil {
		return errStopped
	}
	return err
}

// list lists the tools within startup_timeout.
func (v *life) list(l *link) (*Catalogue, error) {
	limit := v.spec.startupTimeout()
	ctx, cancel := context.WithCancelCause(v.ctx)
	defer cancel(nil)
	disarm := v.clock.AfterFunc(limit, func() { cancel(late{Listing, limit}) })
	defer disarm()
	cat, err := l.list(ctx, v.clock)
	if err != nil {
		return nil, fmt.Errorf("list its tools: %w", l.explain(ctx, err))
	}
	l.remember(cat)
	return cat, nil
}
