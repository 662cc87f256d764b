package document

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"
)

// Duration is a span of time, written 90s, 5m, 1h, or as a number of
// seconds; always positive.
type Duration time.Duration

// Std is the duration as the standard library has it.
func (d Duration) Std() time.Duration { return time.Duration(d) }

// String writes the duration as a person would: 90s, 5m, 1h.
func (d Duration) String() string {
	switch v := time.Duration(d); {
	case v > 0 && v%time.Hour == 0:
		return fmt.Sprintf("%dh", v/time.Hour)
	case v > 0 && v%time.Minute == 0:
		return fmt.Sprintf("%dm", v/time.Minute)
	case v%time.Second == 0:
		return fmt.Sprintf("%ds", v/time.Second)
	}
	return time.Duration(d).String()
}

// longestDuration keeps a number of seconds from running over.
const longestDuration = 366 * 24 * time.Hour

// ParseDuration reads what a document may hold where a duration belongs.
func ParseDuration(s string) (Duration, error) { return parseDuration(s, longestDuration) }

// parseDuration reads a duration of at most so long.
func parseDuration(s string, most time.Duration) (Duration, error) {
	outside := fmt.Errorf("must be more than 0s and at most %s", Duration(most))
	d, err := time.ParseDuration(s)
	if seconds, e := strconv.ParseFloat(s, 64); e == nil {
		if !(seconds > 0 && seconds <= most.Seconds()) { // NaN is neither
			return 0, outside
		}
		d, err = time.Duration(seconds*float64(time.Second)), nil
	}
	if err != nil {
		return 0, errors.New("is no duration. Write it like 90s, 5m or 1h, or as a number of seconds")
	}
	if d <= 0 || d > most {
		return 0, outside
	}
	return Duration(d), nil
}

// UnmarshalYAML reads a duration. One that is none leaves the value as it was:
// its shape has been told, and an error would end the reading of all that
// follows it.
func (d *Duration) UnmarshalYAML(read func(any) error) error {
	var s string
	if err := read(&s); err != nil {
		return told(err)
	}
	if v, err := ParseDuration(s); err == nil {
		*d = v
	}
	return nil
}

func (Duration) shape(w *walker, n *yaml.Node, r rule, path string) {
	if n.Kind != yaml.ScalarNode {
		w.misshapen(path, "must be a duration such as 90s, 5m or 1h, but is %s.", what(n))
		return
	}
	if _, err := parseDuration(n.Value, r.longest); err != nil {
		w.misshapen(path, "%s.", err)
	}
}
