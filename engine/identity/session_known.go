package identity

import (
	"context"
	"strings"
	"sync"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/tool"
)

const (
	// heldFor is the longest a session is taken for what it was when it was
	// read, though the log says nothing of it: its last use is written then, and
	// what somebody did to the tables by hand comes to be seen.
	heldFor = time.Minute
	// knownMost bounds the sessions that are held, each of some 500 bytes.
	knownMost = 10_000
)

// known are the browser sessions that were read lately. The log tells when
// what was read may have changed.
type known struct {
	mu    sync.Mutex
	heard int64 // how far the log was told
	moved int64 // where it last told of people, seats, sessions or the company
	rows  map[string]knownSession
}

type knownSession struct {
	sessionRow
	at time.Time // when it was read
}

func (k *known) keep(id string, row sessionRow, now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.rows == nil || len(k.rows) >= knownMost {
		k.rows = map[string]knownSession{}
	}
	k.rows[id] = knownSession{sessionRow: row, at: now}
}

// session is what was read of a session, and how far in the log it holds.
func (k *known) session(id string, now time.Time) (row sessionRow, to int64, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s, ok := k.rows[id]
	if !ok || s.Position < k.moved || now.Sub(s.at) >= heldFor {
		return sessionRow{}, 0, false
	}
	return s.sessionRow, max(s.Position, k.heard), true
}

func (k *known) hear(rows []changes.Change) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, row := range rows {
		k.heard = row.Position
		if touchesSessions(row.Kind) {
			k.moved, k.rows = row.Position, nil
		}
	}
}

// touchesSessions reports whether a change may alter who a session is.
func touchesSessions(kind string) bool {
	area, _, _ := strings.Cut(kind, ".")
	switch area {
	case "person", "seat", "company":
		return true
	case "session":
		return kind != "session.started"
	}
	return false
}

// Hear takes rows of the change feed, in order.
func (i *Identity) Hear(rows []changes.Change) { i.known.hear(rows) }

// Known is Session from what was read within the minute, for reads alone: the
// runner asks Still whether it holds where the read stands in the log. byHeart
// is false when the session was read just now.
func (i *Identity) Known(ctx context.Context, id string) (s Signed, byHeart bool, err error) {
	now := i.now().UTC()
	if row, _, ok := i.known.session(id, now); ok {
		s, err = i.signed(id, row, now)
		return s, true, err
	}
	s, err = i.Session(ctx, id)
	return s, false, err
}

// Still is who a known session is where a read stands: what was known, unless
// the log went on further than this node has heard.
func (i *Identity) Still(ctx context.Context, c *tool.Call, id string) (access.Principal, error) {
	now := i.now().UTC()
	if row, to, ok := i.known.session(id, now); ok && c.Landed.Position >= row.Position && c.Landed.Position <= to {
		s, err := i.signed(id, row, now)
		return s.Principal, err
	}
	s, err := i.sessionFrom(ctx, c.Tx, id)
	return s.Principal, err
}
