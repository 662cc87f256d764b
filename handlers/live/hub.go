// Package live tells open pages that something changed: one stream per tab,
// topics and positions, never content. Pages fetch what they show again under
// their reader's own rights.
package live

import (
	"sync"
	"time"

	"crewlet/engine/changes"
	"crewlet/engine/history"
)

// kept is how many rows back a returning page is told exactly what it missed;
// older than that, or than an hour, it is told to fetch everything.
const (
	kept    = 10_000
	keptFor = time.Hour
)

// Hub hands the log to every stream of this node.
type Hub struct {
	now func() time.Time

	mu      sync.Mutex
	recent  []told                 // the newest rows, oldest first, at most kept
	from    int64                  // the position before the oldest of recent
	streams map[*listener]struct{} // those that follow no topic, too
	topics  map[string]map[*listener]struct{}
	holders map[string]map[*listener]struct{} // credential or person to their streams
	closed  bool
}

type told struct {
	position int64
	at       time.Time
	topics   []string
}

// listener is one stream: what it waits for and what it has not been told yet.
type listener struct {
	topics  []string
	holders []string
	wake    chan struct{} // holds one token
	ended   chan struct{} // closed when the credential ends or the hub does

	pending  map[string]struct{}
	position int64
	over     bool
}

// NewHub makes a hub that knows nothing before position.
func NewHub(now func() time.Time, position int64) *Hub {
	return &Hub{
		now: now, from: position, streams: map[*listener]struct{}{},
		topics: map[string]map[*listener]struct{}{}, holders: map[string]map[*listener]struct{}{},
	}
}

// Hear takes rows from the change feed, in order.
func (h *Hub) Hear(rows []changes.Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, row := range rows {
		t := told{position: row.Position, at: row.At, topics: history.Topics(row)}
		h.recent = append(h.recent, t)
		for _, topic := range t.topics {
			for l := range h.topics[topic] {
				l.tell(topic, row.Position)
			}
		}
		if ends(row.Kind) {
			h.end(row.Object)
		}
	}
	if over := len(h.recent) - kept; over > 0 {
		h.from = h.recent[over-1].position
		h.recent = append(h.recent[:0], h.recent[over:]...)
	}
}

// Announce tells a topic's streams of something that is not in the log, such
// as a node that fell silent: they fetch again what they show.
func (h *Hub) Announce(topic string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	position := h.from
	if n := len(h.recent); n > 0 {
		position = h.recent[n-1].position
	}
	for l := range h.topics[topic] {
		l.tell(topic, position)
	}
}

// ends reports whether a change takes a credential away, or rights: whoever
// follows on connects again with what they have now.
func ends(kind string) bool {
	return kind == "session.ended" || kind == "token.revoked" || kind == "person.suspended" || kind == "person.granted"
}

// end closes every stream of a credential or person at once.
func (h *Hub) end(holder string) {
	for l := range h.holders[holder] {
		l.finish()
	}
}

// join adds a stream that has seen everything up to since, and tells it what
// it missed. resync says that this is not known exactly.
func (h *Hub) join(topics, holders []string, since int64) (l *listener, position int64, resync bool) {
	l = &listener{
		topics: topics, holders: holders,
		wake: make(chan struct{}, 1), ended: make(chan struct{}), pending: map[string]struct{}{},
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	position = h.from
	if n := len(h.recent); n > 0 {
		position = h.recent[n-1].position
	}
	if h.closed {
		l.finish()
		return l, position, false
	}
	h.streams[l] = struct{}{}
	for _, topic := range topics {
		add(h.topics, topic, l)
	}
	for _, holder := range holders {
		add(h.holders, holder, l)
	}
	if since < 0 || since >= position {
		return l, max(position, since), false
	}
	return l, position, !h.replay(l, since)
}

// replay tells a stream what happened since; false when that is too long ago.
func (h *Hub) replay(l *listener, since int64) bool {
	if since < h.from {
		return false
	}
	for i := len(h.recent) - 1; i >= 0 && h.recent[i].position > since; i-- {
		if h.now().Sub(h.recent[i].at) > keptFor {
			return false
		}
		for _, topic := range h.recent[i].topics {
			if _, listens := h.topics[topic][l]; listens {
				l.tell(topic, h.recent[i].position)
			}
		}
	}
	return true
}

func (h *Hub) leave(l *listener) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.streams, l)
	for _, topic := range l.topics {
		remove(h.topics, topic, l)
	}
	for _, holder := range l.holders {
		remove(h.holders, holder, l)
	}
}

// take empties what a stream has to be told.
func (h *Hub) take(l *listener) (topics []string, position int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, topic := range l.topics { // in the order they were asked for
		if _, waits := l.pending[topic]; waits {
			topics = append(topics, topic)
		}
	}
	clear(l.pending)
	return topics, l.position
}

// Close ends every stream; later ones end at once.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for l := range h.streams {
		l.finish()
	}
}

// Streams is how many streams are open.
func (h *Hub) Streams() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.streams)
}

func (l *listener) tell(topic string, position int64) {
	l.pending[topic] = struct{}{}
	l.position = max(l.position, position)
	select {
	case l.wake <- struct{}{}:
	default: // it is awake already, and will take this too
	}
}

func (l *listener) finish() {
	if !l.over {
		l.over = true
		close(l.ended)
	}
}

func add(sets map[string]map[*listener]struct{}, name string, l *listener) {
	if sets[name] == nil {
		sets[name] = map[*listener]struct{}{}
	}
	sets[name][l] = struct{}{}
}

func remove(sets map[string]map[*listener]struct{}, name string, l *listener) {
	delete(sets[name], l)
	if len(sets[name]) == 0 {
		delete(sets, name)
	}
}
