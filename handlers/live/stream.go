package live

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/history"
	"crewlet/engine/refusal"
	"crewlet/handlers/web"
)

// mostTopics is how many topics one tab may follow.
const mostTopics = 100

// Handlers serves GET /live.
type Handlers struct {
	Hub *Hub
	// Valid asks again whether the credential still holds: the backstop for a
	// change that never reached this node.
	Valid func(r *http.Request) error

	Beat    time.Duration // between heartbeats; 20 s
	Recheck time.Duration // between checks of the credential; 60 s
	Slow    time.Duration // a write that takes longer drops the reader; 10 s
}

// Stream answers one tab until it goes away, its credential ends or the node
// stops. since is the page's as_of, later the last event's position.
func (h *Handlers) Stream(w http.ResponseWriter, r *http.Request) error {
	by := web.ViewerOf(r).By
	if by.Kind == access.Nobody {
		return refusal.Unauthenticated.Say("Sign in first.")
	}
	topics, err := asked(r, by)
	if err != nil {
		return err
	}
	since, err := cursor(r)
	if err != nil {
		return err
	}
	l, position, resync := h.Hub.join(topics, []string{by.Credential, by.Key()}, since)
	defer h.Hub.leave(l)
	// A credential that ended since the request was let in told nobody yet.
	if err := h.Valid(r); err != nil {
		return err
	}
	s := &stream{w: w, c: http.NewResponseController(w), slow: h.Slow}
	head := w.Header()
	head.Set("Content-Type", "text/event-stream")
	head.Set("Cache-Control", "no-store")
	head.Set("X-Accel-Buffering", "no")
	s.opening(topics, position, resync)
	h.follow(r, l, s)
	return nil // headers are sent; a reader that went away has nobody to tell
}

// follow writes until something ends the stream.
func (h *Handlers) follow(r *http.Request, l *listener, s *stream) {
	beat := time.NewTicker(h.Beat)
	defer beat.Stop()
	recheck := time.NewTicker(h.Recheck)
	defer recheck.Stop()
	for s.err == nil {
		select {
		case <-r.Context().Done():
			return
		case <-l.ended:
			return
		case <-l.wake:
			if topics, position := h.Hub.take(l); len(topics) > 0 {
				s.event("change", topics, position)
			}
		case <-beat.C:
			s.write(": beat\n\n")
		case <-recheck.C:
			if refusal.Is(h.Valid(r), refusal.Unauthenticated) {
				return
			}
		}
	}
}

// asked reads the topics and leaves out what this reader may not follow: a
// page may carry a region that its reader sees nothing in.
func asked(r *http.Request, by access.Principal) ([]string, error) {
	var topics []string
	for topic := range strings.SplitSeq(r.URL.Query().Get("topics"), ",") {
		row, known := history.TopicRow(topic)
		if known && len(topic) <= 200 && access.May(row, by) == nil && !slices.Contains(topics, topic) {
			topics = append(topics, topic)
		}
	}
	if len(topics) > mostTopics {
		return nil, refusal.Invalid.Say("A stream follows at most %d topics.", mostTopics).On("topics")
	}
	return topics, nil
}

// cursor is where the reader stands; the browser's own Last-Event-ID wins. -1
// is a reader that has seen nothing and asks for nothing back.
func cursor(r *http.Request) (int64, error) {
	text := r.Header.Get("Last-Event-ID")
	if text == "" {
		text = r.URL.Query().Get("since")
	}
	if text == "" {
		return -1, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, refusal.Invalid.Say("since is a position of the log, such as 412.").On("since")
	}
	return n, nil
}

// stream writes events to one reader. After an error it writes nothing more.
type stream struct {
	w    http.ResponseWriter
	c    *http.ResponseController
	slow time.Duration
	err  error
}

// opening is what every connect begins with: a resync where what was missed is
// not known, and, since beats and phases are not in the log, the servers.
func (s *stream) opening(topics []string, position int64, resync bool) {
	s.write("retry: 1000\n\n")
	if resync {
		s.event("resync", nil, position)
		return
	}
	if slices.Contains(topics, "servers") {
		s.event("change", []string{"servers"}, position)
	}
}

func (s *stream) event(name string, topics []string, position int64) {
	data, err := json.Marshal(struct {
		Topics   []string `json:"topics,omitempty"`
		Position int64    `json:"position"`
	}{topics, position})
	if err != nil {
		s.err = err
		return
	}
	s.write(fmt.Sprintf("event: %s\nid: %d\ndata: %s\n\n", name, position, data))
}

func (s *stream) write(text string) {
	if s.err != nil {
		return
	}
	if s.err = s.c.SetWriteDeadline(time.Now().Add(s.slow)); s.err != nil {
		return
	}
	if _, s.err = s.w.Write([]byte(text)); s.err == nil {
		s.err = s.c.Flush()
	}
}
