package client

import (
	"context"
	"sync"
	"time"
)

// The limits of a start that no spec names.
const (
	fetchTimeout = 10 * time.Minute
	probeTimeout = 5 * time.Second
	fetchLook    = 100 * time.Millisecond // how often we look whether a download is over
)

// startWatch times one handshake: first the download of a package runner,
// then the handshake itself. Past a limit it cancels.
type startWatch struct {
	life    *life
	link    *link
	kind    int // of runner
	probing bool
	cancel  context.CancelCauseFunc

	mu     sync.Mutex
	over   bool
	disarm []func() bool
}

// watchStart begins to time. The function returned ends it.
func (v *life) watchStart(l *link, probing bool, cancel context.CancelCauseFunc) (end func()) {
	w := &startWatch{life: v, link: l, probing: probing, cancel: cancel}
	if v.spec.transport() == Stdio {
		w.kind = runnerKind(v.spec.Command, v.spec.Args)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.kind == noRunner {
		w.handshaking()
	} else {
		w.fetching()
	}
	return w.end
}

func (w *startWatch) fetching() {
	limit, cause := fetchTimeout, error(late{Fetching, fetchTimeout})
	if w.kind == neverSeen && w.probing {
		// Whether it still downloads or is silent cannot be told apart. The
		// second child is given the ten minutes.
		limit, cause = w.life.spec.startupTimeout(), errSilentProbe
	}
	w.arm(limit, func() { w.cancel(cause) })
	w.look()
	w.tell(Fetching) // who hears of a phase may rely on its timer
}

// look asks again and again whether the server itself runs or has spoken.
func (w *startWatch) look() {
	w.arm(fetchLook, func() {
		spoke := false
		select {
		case <-w.link.heard:
			spoke = true
		default:
		}
		running := spoke || runs(w.link.pid(), w.kind)
		w.mu.Lock()
		defer w.mu.Unlock()
		switch {
		case w.over:
		case running:
			w.quiet()
			w.handshaking()
		default:
			w.disarm = w.disarm[:1] // this look is done; the limit stays
			w.look()
		}
	})
}

func (w *startWatch) handshaking() {
	limit := w.life.spec.startupTimeout()
	if w.probing {
		w.arm(min(limit, probeTimeout), func() { w.cancel(errSilentProbe) })
	} else {
		w.arm(limit, func() { w.cancel(late{Handshaking, limit}) })
	}
	w.tell(Handshaking)
}

func (w *startWatch) tell(phase Phase) {
	w.life.tell(event{kind: evPhase, phase: phase, pid: w.link.pid()})
}

func (w *startWatch) arm(d time.Duration, f func()) {
	w.disarm = append(w.disarm, w.life.clock.AfterFunc(d, f))
}

func (w *startWatch) quiet() {
	for _, disarm := range w.disarm {
		disarm()
	}
	w.disarm = nil
}

func (w *startWatch) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	w.quiet()
}
