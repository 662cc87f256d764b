package client

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// settleTime gathers a burst of list_changed into one listing.
const settleTime = 100 * time.Millisecond

// life is one life of an instance: from its start, with the second child that
// an older server needs, to the last process of its last group.
type life struct {
	spec    Spec
	era     era
	version string
	spawner *Spawner
	clock   Clock
	log     *slog.Logger
	tell    func(event) // never blocks

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

// live runs the life to its end and tells of each turn.
func (v *life) live() {
	defer close(v.done)
	l, cat, err := v.start()
	if err == nil {
		v.tell(event{kind: evUp, link: l, cat: cat, era: v.era})
		err = v.watch(l, cat.Digest)
		l.close(v.clock, v.hurry)
	}
	ended := event{kind: evEnded, err: err}
	if l != nil {
		ended.tail, ended.skipped = l.stderr.last(), int(l.skipped.Load())
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
	v.tell(event{kind: evPhase, phase: Listing, pid: l.proc.pid})
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
	if v.era != eraUnknown {
		return v.dial(v.era, false)
	}
	l, err := v.dial(eraSessionless, true)
	if err == nil {
		v.era = eraSessionless
		return l, nil
	}
	if _, slow := errors.AsType[late](err); slow || l == nil || errors.Is(err, errStopped) {
		return l, err
	}
	v.log.Debug("server_probe_failed", "error", l.redact.line(err.Error()))
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

// dial starts one child and begins a session with it. On an error the link is
// closed; it is nil when no child was started.
func (v *life) dial(e era, probing bool) (*link, error) {
	l, err := open(v.spawner, v.clock, v.spec, v.log)
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
	return cat, nil
}

// watch stays with a running child until it ends or we end it (errStopped),
// and lists again when asked. It alone lists, so listings never overlap.
func (v *life) watch(l *link, digest string) error {
	settled := make(chan struct{}, 1)
	disarm := func() bool { return true }
	defer func() { disarm() }()
	changed := l.changed
	for {
		select {
		case <-v.ctx.Done():
			return errStopped
		case <-l.proc.exited:
			return v.unless(l.demise())
		case <-l.over:
			return v.unless(l.demise())
		case <-changed:
			changed = nil // until it has settled
			disarm = v.clock.AfterFunc(settleTime, func() { settled <- struct{}{} })
		case <-settled:
			changed = l.changed
			digest = v.relist(l, digest)
		case answer := <-v.checks:
			cat, err := v.list(l)
			if err == nil {
				digest = cat.Digest
				v.tell(event{kind: evListed, cat: cat})
			}
			answer <- checked{cat, err}
		}
	}
}

// relist lists after a change that was announced, tells when there was one,
// and returns the digest that now stands.
func (v *life) relist(l *link, digest string) string {
	select {
	case <-l.changed: // announced before this listing begins
	default:
	}
	cat, err := v.list(l)
	switch {
	case err != nil && v.ctx.Err() == nil:
		v.log.Warn("server_relist_failed", "error", l.redact.line(err.Error()))
	case err == nil && cat.Digest != digest:
		digest = cat.Digest
		v.tell(event{kind: evListed, cat: cat})
	}
	return digest
}
