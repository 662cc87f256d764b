package client

import (
	"testing"
	"time"
)

func TestSpansAreSaidInWords(t *testing.T) {
	t.Parallel()
	for span, want := range map[time.Duration]string{
		0:                       "0 seconds",
		250 * time.Millisecond:  "0.25 seconds",
		time.Second:             "1 second",
		1500 * time.Millisecond: "1.5 seconds",
		time.Minute:             "60 seconds",
		119 * time.Second:       "119 seconds",
		2 * time.Minute:         "2 minutes",
		150 * time.Second:       "2 minutes 30 seconds",
		181 * time.Second:       "3 minutes 1 second",
		10 * time.Minute:        "10 minutes",
		90 * time.Minute:        "90 minutes",
	} {
		if got := inWords(span); got != want {
			t.Errorf("%s: got %q, want %q", span, got, want)
		}
	}
}
