package identity

import (
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"crewlet/engine/refusal"
)

func TestStrangersWaitAndNobodyElse(t *testing.T) {
	s, now := newStrangers(), time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	known, guess := sha256.Sum256([]byte("known")), sha256.Sum256([]byte("guess"))
	s.right(known, now)
	for i := range strangerTries {
		if err := s.wait("a", guess, now); err != nil {
			t.Fatalf("wrong token %d: %v", i, err)
		}
		s.wrong("a", now)
	}
	for name, c := range map[string]struct {
		source string
		sum    [sha256.Size]byte
		at     time.Time
		waits  bool
	}{
		"one more guess":         {"a", guess, now, true},
		"another source":         {"b", guess, now, false},
		"a token that was right": {"a", known, now, false},
		"a minute later":         {"a", guess, now.Add(strangerWait), false},
	} {
		t.Run(name, func(t *testing.T) {
			err := s.wait(c.source, c.sum, c.at)
			if (err != nil) != c.waits {
				t.Errorf("got %v", err)
			}
			if no := refusal.Of(err); no != nil && (no.Class != refusal.RateLimited || no.RetryAfter <= 0) {
				t.Errorf("refused as %v after %v", no.Class, no.RetryAfter)
			}
		})
	}
	for i := range 3 * sourcesLimit {
		s.wrong(fmt.Sprint(i), now)
	}
	if len(s.sources) > sourcesLimit {
		t.Errorf("%d sources are remembered", len(s.sources))
	}
}
