package live

import (
	"slices"
	"testing"
	"time"

	"crewlet/engine/changes"
)

var clock = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func row(position int64, kind, object string) changes.Change {
	return changes.Change{Position: position, At: clock, Kind: kind, Object: object}
}

func hub(rows ...changes.Change) *Hub {
	h := NewHub(func() time.Time { return clock }, 0)
	h.Hear(rows)
	return h
}

func TestJoinTellsWhatWasMissed(t *testing.T) {
	var long []changes.Change
	for i := range int64(kept + 5) {
		long = append(long, row(i+1, "secret.set", "secret:A"))
	}
	old := row(1, "secret.set", "secret:A")
	old.At = clock.Add(-2 * time.Hour)
	for name, c := range map[string]struct {
		rows   []changes.Change
		since  int64
		topics []string
		resync bool
	}{
		"nothing since":             {[]changes.Change{row(1, "secret.set", "")}, 1, nil, false},
		"one since":                 {[]changes.Change{row(1, "secret.set", ""), row(2, "secret.set", "")}, 1, []string{"secrets"}, false},
		"only what it follows":      {[]changes.Change{row(1, "server.failed", ""), row(2, "token.minted", "")}, 0, []string{"servers"}, false},
		"never saw anything":        {[]changes.Change{row(1, "secret.set", "")}, -1, nil, false},
		"ahead of this node":        {nil, 7, nil, false},
		"further back than is kept": {long, 2, nil, true},
		"as far back as is kept":    {long, 5, []string{"secrets"}, false},
		"more than an hour":         {[]changes.Change{old}, 0, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			h := hub(c.rows...)
			l, _, resync := h.join([]string{"secrets", "servers"}, nil, c.since)
			topics, _ := h.take(l)
			if resync != c.resync || !resync && !slices.Equal(topics, c.topics) {
				t.Errorf("told %v, resync %v; want %v, %v", topics, resync, c.topics, c.resync)
			}
		})
	}
}

func TestABurstCoalesces(t *testing.T) {
	h := hub()
	l, _, _ := h.join([]string{"secrets", "servers"}, nil, 0)
	for i := range int64(1000) {
		h.Hear([]changes.Change{row(i+1, "secret.set", "secret:A")})
	}
	<-l.wake
	topics, position := h.take(l)
	if !slices.Equal(topics, []string{"secrets"}) || position != 1000 {
		t.Errorf("told %v at %d", topics, position)
	}
	if again, _ := h.take(l); len(again) != 0 {
		t.Errorf("told again: %v", again)
	}
}

func TestAnEndedCredentialEndsItsStreams(t *testing.T) {
	for name, c := range map[string]struct {
		end  changes.Change
		mine bool
	}{
		"its session":       {row(1, "session.ended", "session:1"), true},
		"another session":   {row(1, "session.ended", "session:2"), false},
		"its person":        {row(1, "person.suspended", "person:ana"), true},
		"its person's say":  {row(1, "person.granted", "person:ana"), true},
		"a change of state": {row(1, "session.confirmed", "session:1"), false},
	} {
		t.Run(name, func(t *testing.T) {
			h := hub()
			l, _, _ := h.join([]string{"secrets"}, []string{"session:1", "person:ana"}, 0)
			h.Hear([]changes.Change{c.end})
			select {
			case <-l.ended:
				if !c.mine {
					t.Error("a stranger's end closed it")
				}
			default:
				if c.mine {
					t.Error("it is still open")
				}
			}
		})
	}
}

func TestLeavingLeavesNothing(t *testing.T) {
	h := hub()
	l, _, _ := h.join([]string{"secrets", "servers"}, []string{"session:1"}, 0)
	if h.Streams() != 1 {
		t.Fatalf("%d streams", h.Streams())
	}
	h.leave(l)
	if h.Streams() != 0 || len(h.streams) != 0 || len(h.topics) != 0 || len(h.holders) != 0 {
		t.Error("something is kept of a stream that left")
	}
	h.Close()
	l, _, _ = h.join([]string{"secrets"}, nil, 0)
	select {
	case <-l.ended:
	default:
		t.Error("a closed hub takes new streams")
	}
}

func TestAnAnnouncementIsOfNowAndForItsTopicAlone(t *testing.T) {
	h := hub(row(7, "secret.set", "secret:A"))
	servers, _, _ := h.join([]string{"servers"}, nil, 7)
	secrets, _, _ := h.join([]string{"secrets"}, nil, 7)
	h.Announce("servers")
	if topics, position := h.take(servers); !slices.Equal(topics, []string{"servers"}) || position != 7 {
		t.Errorf("told %v at %d", topics, position)
	}
	if topics, _ := h.take(secrets); len(topics) != 0 {
		t.Errorf("another topic is told %v", topics)
	}
}
