package ui

import (
	"fmt"
	"time"
)

// TimeView is a moment, told from now.
type TimeView struct {
	At  time.Time // the zero time is drawn as "never"
	Now time.Time
}

// machine is the form of <time datetime>.
func (t TimeView) machine() string { return t.At.UTC().Format(time.RFC3339) }

// absolute is shown on hover, always in UTC.
func (t TimeView) absolute() string { return t.At.UTC().Format("2 January 2006, 15:04:05 UTC") }

// relative tells the distance in the largest unit that fits; past four weeks, the date.
func (t TimeView) relative() string {
	d := t.Now.Sub(t.At)
	form := "%s ago"
	if d < 0 {
		d, form = -d, "in %s"
	}
	switch {
	case d < 45*time.Second && form == "%s ago":
		return "just now"
	case d < time.Minute:
		return fmt.Sprintf(form, "a moment")
	case d < time.Hour:
		return fmt.Sprintf(form, units(d, time.Minute, "minute"))
	case d < 24*time.Hour:
		return fmt.Sprintf(form, units(d, time.Hour, "hour"))
	case d < 28*24*time.Hour:
		return fmt.Sprintf(form, units(d, 24*time.Hour, "day"))
	}
	return t.At.UTC().Format("2 Jan 2006")
}

func units(d, unit time.Duration, name string) string {
	n := int(d / unit)
	if n == 1 {
		return "1 " + name
	}
	return fmt.Sprintf("%d %ss", n, name)
}
