package document

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// cronField is one of the five fields of a schedule.
type cronField struct {
	name      string
	low, high int
	words     []string // names for low, low+1, …
}

func cronFields() []cronField {
	return []cronField{
		{"minute", 0, 59, nil},
		{"hour", 0, 23, nil},
		{"day of month", 1, 31, nil},
		{"month", 1, 12, strings.Fields("jan feb mar apr may jun jul aug sep oct nov dec")},
		{"weekday", 0, 7, strings.Fields("sun mon tue wed thu fri sat")},
	}
}

// refusesCron says what is wrong with a five-field cron expression, or "".
func refusesCron(s string) string {
	parts := strings.Fields(s)
	fields := cronFields()
	if len(parts) != len(fields) {
		return fmt.Sprintf("It has %d fields.", len(parts))
	}
	for i, f := range fields {
		for item := range strings.SplitSeq(parts[i], ",") {
			if !f.takes(item) {
				return fmt.Sprintf("The %s cannot be %q: it goes from %d to %d.", f.name, clip(item), f.low, f.high)
			}
		}
	}
	return ""
}

// takes reads *, a value or a range, each perhaps with a step behind it.
func (f cronField) takes(item string) bool {
	span, step, stepped := strings.Cut(item, "/")
	if n, err := strconv.Atoi(step); stepped && (err != nil || n < 1 || n > f.high) {
		return false
	}
	if span == "*" {
		return true
	}
	from, to, ranged := strings.Cut(span, "-")
	low, ok := f.value(from)
	if !ok || !ranged {
		return ok
	}
	high, ok := f.value(to)
	return ok && low <= high
}

func (f cronField) value(s string) (int, bool) {
	if i := slices.Index(f.words, strings.ToLower(s)); i >= 0 {
		return f.low + i, true
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= f.low && n <= f.high && !strings.HasPrefix(s, "+")
}
