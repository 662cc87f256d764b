package client

import "time"

// settleTime gathers a burst of list_changed into one listing.
const settleTime = 100 * time.Millisecond

// watch stays with a running child until it ends or we end it (errStopped),
// and lists again when asked. It alone lists, so listings never overlap.
func (v *life) watch(l *link, digest string) error {
	settled := make(chan struct{}, 1)
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
			changed = nil // until it has settled
			disarm = v.clock.AfterFunc(settleTime, func() { settled <- struct{}{} })
		case <-settled:
			changed = l.changed
			digest = v.relist(l, digest)
		case err := <-health.gone:
			return v.unless(err)
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
