package tracker

import (
	"fmt"
	"strings"
	"time"

	"github.com/lib/pq"
)

// parties resolves the names of a value; "me" is every name the caller goes by.
func (w *where) parties(key, text string) (parties []string, not bool) {
	words, not, none := list(text)
	for _, word := range words {
		if strings.EqualFold(word, "me") {
			parties = append(parties, w.by.Parties()...)
			continue
		}
		m, err := w.dir.Resolve(word, key)
		if err != nil {
			w.no.note(err)
			continue
		}
		parties = append(parties, m.Party)
	}
	if none {
		parties = append(parties, "")
	}
	return parties, not
}

func (w *where) party(key, column, text string) {
	if text == "" {
		return
	}
	parties, not := w.parties(key, text)
	w.anyOf(column, parties, not)
}

func (w *where) watcher(text string) {
	if text == "" {
		return
	}
	parties, not := w.parties("watcher", text)
	word := ""
	if not {
		word = "NOT "
	}
	w.add("%sEXISTS (SELECT 1 FROM item_parties f WHERE f.item = i.id AND f.role = 'watcher' AND f.party = ANY (%s))",
		word, w.arg(pq.StringArray(parties)))
}

func (w *where) labels(text string) {
	if text == "" {
		return
	}
	words, not, none := list(text)
	var slugs []string
	for _, word := range words {
		slugs = append(slugs, slugged(word))
	}
	w.named.labels = slugs
	var either []string
	if len(slugs) > 0 {
		either = append(either, fmt.Sprintf("i.labels && %s", w.arg(pq.StringArray(slugs))))
	}
	if none {
		either = append(either, "i.labels = '{}'")
	}
	w.oneOf(either, not)
}

func (w *where) parent(text string) {
	if text == "" {
		return
	}
	words, not, none := list(text)
	var either []string
	for _, word := range words {
		project, no, ok := parseKey(word)
		if !ok {
			w.wrong("parent", "%q is no item's key, such as ENG-412.", word)
			continue
		}
		w.named.projectsOf, w.named.numbers = append(w.named.projectsOf, project), append(w.named.numbers, no)
		either = append(either, fmt.Sprintf("i.parent = (SELECT p.id FROM items p WHERE p.project = %s AND p.no = %s)", w.arg(project), w.arg(no)))
	}
	if none {
		either = append(either, "i.parent IS NULL")
	}
	w.oneOf(either, not)
}

func (w *where) oneOf(either []string, not bool) {
	switch {
	case len(either) == 0:
	case not:
		w.add("NOT coalesce(%s, false)", strings.Join(either, " OR "))
	default:
		w.add("(%s)", strings.Join(either, " OR "))
	}
}

// span is a stretch of days, both ends in it; a zero end is open.
type span struct{ from, to time.Time }

// span reads a date, an operator and a date, or range:A..B.
func (w *where) span(key, text string) (span, bool) {
	date := func(word string) (time.Time, bool) {
		m, err := readDate(word, key, w.now, w.zone)
		if err != nil {
			w.no.note(err)
		}
		return m.On, err == nil
	}
	op, rest, found := strings.Cut(text, ":")
	if !found || strings.Contains(text, "T") { // an instant has colons of its own
		on, ok := date(text)
		return span{on, on}, ok
	}
	switch op {
	case "lt":
		on, ok := date(rest)
		return span{to: on.AddDate(0, 0, -1)}, ok
	case "lte":
		on, ok := date(rest)
		return span{to: on}, ok
	case "gt":
		on, ok := date(rest)
		return span{from: on.AddDate(0, 0, 1)}, ok
	case "gte":
		on, ok := date(rest)
		return span{from: on}, ok
	case "range":
		from, to, ok := strings.Cut(rest, "..")
		if !ok {
			break
		}
		a, okA := date(from)
		b, okB := date(to)
		return span{a, b}, okA && okB
	}
	w.wrong(key, "%q cannot be read: write a date, lt:, lte:, gt: or gte: and a date, range:A..B, or none.", text)
	return span{}, false
}

// day is a condition on a column of days.
func (w *where) day(key, column, text string) {
	switch {
	case text == "":
		return
	case strings.EqualFold(text, "none"):
		w.add("%s IS NULL", column)
		return
	case strings.EqualFold(text, "!none"):
		w.add("%s IS NOT NULL", column)
		return
	}
	s, ok := w.span(key, text)
	if !ok {
		return
	}
	if !s.from.IsZero() {
		w.add("%s >= %s::date", column, w.arg(s.from.Format(day)))
	}
	if !s.to.IsZero() {
		w.add("%s <= %s::date", column, w.arg(s.to.Format(day)))
	}
}

// instant is a condition on a column of instants, in days of the company's.
func (w *where) instant(key, column, text string) {
	if text == "" {
		return
	}
	s, ok := w.span(key, text)
	if !ok {
		return
	}
	if !s.from.IsZero() {
		w.add("%s >= %s", column, w.arg(s.from))
	}
	if !s.to.IsZero() {
		w.add("%s < %s", column, w.arg(s.to.AddDate(0, 0, 1)))
	}
}
