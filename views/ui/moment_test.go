package ui

import (
	"testing"
	"time"
)

func TestTimeTellsTheDistance(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ago  time.Duration
		want string
	}{
		"now":               {0, "just now"},
		"44 seconds":        {44 * time.Second, "just now"},
		"under a minute":    {50 * time.Second, "a moment ago"},
		"one minute":        {time.Minute, "1 minute ago"},
		"rounded down":      {119 * time.Second, "1 minute ago"},
		"minutes":           {59 * time.Minute, "59 minutes ago"},
		"one hour":          {time.Hour, "1 hour ago"},
		"hours":             {23*time.Hour + 59*time.Minute, "23 hours ago"},
		"days":              {3 * 24 * time.Hour, "3 days ago"},
		"four weeks":        {28 * 24 * time.Hour, "1 Feb 2026"},
		"soon":              {-10 * time.Second, "in a moment"},
		"days to come":      {-89 * time.Hour, "in 3 days"},
		"months to come":    {-90 * 24 * time.Hour, "30 May 2026"},
		"the clock is back": {-time.Minute, "in 1 minute"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := TimeView{At: noon.Add(-c.ago), Now: noon}.relative()
			if got != c.want {
				t.Errorf("%v ago is %q, want %q", c.ago, got, c.want)
			}
		})
	}
}

func TestTimeIsAbsoluteInUTC(t *testing.T) {
	t.Parallel()
	berlin := time.FixedZone("CET", 3600)
	v := TimeView{At: time.Date(2026, 1, 2, 0, 30, 0, 0, berlin), Now: noon}
	if got, want := v.absolute(), "1 January 2026, 23:30:00 UTC"; got != want {
		t.Errorf("absolute is %q, want %q", got, want)
	}
	if got, want := v.machine(), "2026-01-01T23:30:00Z"; got != want {
		t.Errorf("datetime is %q, want %q", got, want)
	}
}
