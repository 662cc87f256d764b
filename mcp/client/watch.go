package client

import (
	"errors"
	"time"
)

// relistPause is the least time from one listing after list_changed to the
// next. The first is made at once; what is announced meanwhile is gathered
// into one more.
const relistPause = time.Second

// watch stays with a running child until it ends or we end it (errStopped),
// and lists again when asked. It alone lists, so listings never overlap.
func (v *life) watch(l *link, digest string) (err error) {
	due := make(chan struct{}, 1)
	var listed time.Time // the last time after a change
	disarm := func() bool { return true }
	defer func() { disarm() }()
	changed := l.changed
	health := v.watchHealth(l)
	defer health.end()
	for {
		select {
		case <-v.ctx.Done():
			return errStopped
		case <-l.exited():
			return v.unless(l.demise())
		case <-l.over:
			return v.unless(l.demise())
		case <-changed:
			changed = nil // until it is listed
			if wait := relistPause - v.clock.Now().Sub(listed); wait > 0 {
				disarm = v.clock.AfterFunc(wait, func() { due <- struct{}{} })
			} else {
				due <- struct{}{}
			}
		case <-due:
			changed = l.changed
			if digest, err = v.relist(l, digest); err != nil {
				return v.unless(err)
			}
			listed = v.clock.Now()
		case err := <-health.gone:
			return v.unless(err)
		case answer := <-v.checks:
			if digest, err = v.check(l, digest, answer); err != nil {
				return v.unless(err)
			}
		}
	}
}

// relist lists after a change that was announced, tells when there was one,
// and returns the digest that now stands. It errs when the server no longer
// takes our credential.
func (v *life) relist(l *link, digest string) (string, error) {
	select {
	case <-l.changed: // announced before this listing begins
	default:
	}
	cat, err := v.list(l)
	switch {
	case unwelcome(err) != nil:
		return digest, unwelcome(err)
	case err != nil && v.ctx.Err() == nil:
		v.called.log().Warn("server_relist_failed", "error", l.redact.line(err.Error()))
	case err == nil && cat.Digest != digest:
		digest = cat.Digest
		v.tell(event{kind: evListed, cat: cat})
	}
	return digest, nil
}

// check lists because somebody asked, and tells of it whatever it holds.
func (v *life) check(l *link, digest string, answer chan<- checked) (string, error) {
	cat, err := v.list(l)
	if err == nil {
		digest = cat.Digest
		v.tell(event{kind: evListed, cat: cat})
	}
	answer <- checked{cat, err}
	return digest, unwelcome(err)
}

// unwelcome is a listing that the server refused for our credential, nil for
// any other: it ends the life, where the same answer to a call fails the call.
func unwelcome(err error) error {
	if said, ok := errors.AsType[*answered](err); ok && said.fault() == Unauthorized {
		return said
	}
	return nil
}
