package tracker

import (
	"database/sql"
	"regexp"
	"strconv"
	"strings"
	"time"

	"crewlet/engine/refusal"
)

// day is how days are written and stored.
const day = time.DateOnly

// moment is a date as somebody named it: a day of the company's, and the
// instant when they named one.
type moment struct {
	On time.Time // midnight of the day in the company's zone
	At time.Time // zero for a whole day
}

var relative = regexp.MustCompile(`^([+-])([0-9]{1,4})([dw])$`)

// readDate reads a date as people write one: a day, an instant with its
// offset, or a word. Today is the company's.
func readDate(text, argument string, now time.Time, zone *time.Location) (moment, error) {
	local := now.In(zone)
	today := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, zone)
	word := strings.ToLower(strings.TrimSpace(text))
	if on, ok := wordDate(word, today); ok {
		return moment{On: on}, nil
	}
	if on, err := time.ParseInLocation(day, word, zone); err == nil && sane(on) {
		return moment{On: on}, nil
	}
	if at, err := time.Parse(time.RFC3339, strings.ToUpper(word)); err == nil && sane(at) {
		at = at.In(zone)
		return moment{On: time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, zone), At: at.UTC()}, nil
	}
	return moment{}, refusal.Invalid.Say("%q is no date. Write a day such as 2031-04-16, an instant such as 2031-04-16T09:30:00+02:00, or today, tomorrow, eow, eom or +7d.", text).On(argument)
}

// sane keeps dates inside the years people mean.
func sane(t time.Time) bool { return t.Year() >= 1970 && t.Year() <= 9999 }

// wordDate reads today, tomorrow, yesterday, the end of the week (its Sunday),
// the end of the month, and so many days or weeks from now.
func wordDate(word string, today time.Time) (time.Time, bool) {
	switch word {
	case "today":
		return today, true
	case "tomorrow":
		return today.AddDate(0, 0, 1), true
	case "yesterday":
		return today.AddDate(0, 0, -1), true
	case "eow":
		return today.AddDate(0, 0, (7-int(today.Weekday()))%7), true
	case "eom":
		return time.Date(today.Year(), today.Month()+1, 0, 0, 0, 0, 0, today.Location()), true
	}
	m := relative.FindStringSubmatch(word)
	if m == nil {
		return time.Time{}, false
	}
	n, _ := strconv.Atoi(m[1] + m[2]) // digits, by the shape
	if m[3] == "w" {
		n *= 7
	}
	on := today.AddDate(0, 0, n)
	return on, sane(on)
}

// columns are the two columns a moment is stored in.
func (m moment) columns() (sql.NullString, sql.NullTime) {
	if m.On.IsZero() {
		return sql.NullString{}, sql.NullTime{}
	}
	return sql.NullString{String: m.On.Format(day), Valid: true}, sql.NullTime{Time: m.At, Valid: !m.At.IsZero()}
}
