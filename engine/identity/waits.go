package identity

import (
	"sync"
	"time"
)

const (
	freeTries  = 3           // wrong passwords before anybody waits
	firstWait  = time.Second // doubled with each try after that
	longest    = time.Minute // so that nobody is ever locked out
	forgotten  = time.Hour   // without a try
	waitsLimit = 10_000      // names and sources remembered at once
)

// waits makes guessing slow: after a few wrong tries for one name from one
// source each next one has to wait. Kept in memory, per node.
type waits struct {
	mu    *sync.Mutex
	tries map[try]*tally
}

type try struct{ name, source string }

type tally struct {
	wrong       int
	last, until time.Time
}

func newWaits() waits { return waits{mu: &sync.Mutex{}, tries: map[try]*tally{}} }

// begin counts a try as wrong until it turns out right, so that many at once
// gain nothing. A positive answer is how long to wait; the try is then not
// counted.
func (w waits) begin(t try, now time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	have := w.tries[t]
	if have != nil && now.Sub(have.last) >= forgotten {
		have = nil
	}
	if have == nil {
		w.makeRoom(now)
		have = &tally{}
		w.tries[t] = have
	}
	if wait := have.until.Sub(now); wait > 0 {
		return wait
	}
	have.wrong++
	have.last = now
	have.until = now.Add(waitAfter(have.wrong))
	return 0
}

// right forgets the wrong tries.
func (w waits) right(t try) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.tries, t)
}

// undecided takes a try back that was neither right nor wrong.
func (w waits) undecided(t try) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if have := w.tries[t]; have != nil {
		have.wrong--
		have.until = have.last
	}
}

func waitAfter(wrong int) time.Duration {
	if wrong < freeTries {
		return 0
	}
	return min(longest, firstWait<<min(wrong-freeTries, 10))
}

// makeRoom keeps the memory bounded: what is forgotten goes, else the tally
// that was touched longest ago.
func (w waits) makeRoom(now time.Time) {
	if len(w.tries) < waitsLimit {
		return
	}
	var oldest try
	var since time.Time
	for t, have := range w.tries {
		if now.Sub(have.last) >= forgotten {
			delete(w.tries, t)
		} else if since.IsZero() || have.last.Before(since) {
			oldest, since = t, have.last
		}
	}
	if len(w.tries) >= waitsLimit {
		delete(w.tries, oldest)
	}
}
