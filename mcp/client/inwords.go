package client

import (
	"strconv"
	"time"
)

// inWords is a time span as people read it: in seconds below two minutes, and
// from there on in minutes and what seconds are left.
func inWords(d time.Duration) string {
	if d < 2*time.Minute {
		return counted(strconv.FormatFloat(d.Seconds(), 'f', -1, 64), "second")
	}
	minutes, rest := d/time.Minute, d%time.Minute
	text := counted(strconv.Itoa(int(minutes)), "minute")
	if rest == 0 {
		return text
	}
	return text + " " + inWords(rest)
}

func counted(n, unit string) string {
	if n == "1" {
		return n + " " + unit
	}
	return n + " " + unit + "s"
}
