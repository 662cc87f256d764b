package servers

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"crewlet/engine/refusal"
	"crewlet/mcp/client"
)

func aNote(server, state string, cat *client.Catalogue) note {
	return note{key: client.Key{Server: server}, state: recordServerState{Server: server, State: state}, catalogue: cat}
}

func TestQueue(t *testing.T) {
	t.Parallel()
	first, second := &client.Catalogue{Digest: "1"}, &client.Catalogue{Digest: "2"}
	flapping := make([]note, 0, 40)
	for range 20 {
		flapping = append(flapping, aNote("a", starting, nil), aNote("a", failed, nil))
	}
	for name, c := range map[string]struct {
		notes []note
		want  string // state, then its catalogue's digest
	}{
		"states in order":                {[]note{aNote("a", starting, nil), aNote("a", running, first), aNote("a", failed, nil)}, "a:starting a:running1 a:failed"},
		"one state is told once":         {[]note{aNote("a", starting, nil), aNote("a", starting, nil)}, "a:starting"},
		"a catalogue is kept":            {[]note{aNote("a", running, first), aNote("a", running, nil)}, "a:running1"},
		"a newer catalogue stands":       {[]note{aNote("a", running, first), aNote("a", running, second)}, "a:running2"},
		"others do not mix":              {[]note{aNote("a", starting, nil), aNote("b", running, first), aNote("a", starting, nil)}, "a:starting b:running1"},
		"too many give way to the last":  {append(slices.Clone(flapping), aNote("a", running, first)), "a:starting a:failed a:starting a:failed a:starting a:failed a:starting a:running1"},
		"a catalogue survives even that": {append(append(slices.Clone(flapping), aNote("a", running, first)), flapping...), "a:starting a:failed a:starting a:failed a:starting a:failed a:starting a:failed1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRecorder(client.SystemClock(), slog.New(slog.DiscardHandler), nil)
			for _, n := range c.notes {
				r.add(n)
			}
			var got []string
			for n, ok := r.take(); ok; n, ok = r.take() {
				text := n.key.Server + ":" + n.state.State
				if n.catalogue != nil {
					text += n.catalogue.Digest
				}
				got = append(got, text)
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("got %q, want %q", s, c.want)
			}
		})
	}
}

// A record that cannot be written is tried until it is; one that is refused
// for good is not.
func TestRecordsAreNotLost(t *testing.T) {
	t.Parallel()
	tries, done := map[string]int{}, make(chan struct{})
	r := newRecorder(fast{time.Now(), 1000}, slog.New(slog.DiscardHandler), func(_ context.Context, n note) error {
		tries[n.key.Server]++
		switch {
		case n.key.Server == "refused":
			return refusal.Invalid.Say("Never.")
		case n.key.Server == "away" && tries["away"] < 3:
			return errors.New("the database is away")
		case n.key.Server == "last":
			close(done)
		}
		return nil
	})
	for _, server := range []string{"refused", "away", "last"} {
		r.add(aNote(server, running, nil))
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		r.run(ctx)
		close(ended)
	}()
	<-done
	stop()
	<-ended
	if tries["refused"] != 1 || tries["away"] != 3 || tries["last"] != 1 {
		t.Errorf("tries %v", tries)
	}
}
