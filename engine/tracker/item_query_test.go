package tracker

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/org"
	"crewlet/engine/refusal"
)

// FuzzQuery: whatever a query says, it becomes conditions whose values stand
// beside them, or is refused by the key that was wrong.
func FuzzQuery(f *testing.F) {
	for _, seed := range [][4]string{
		{"project:ENG", "todo,!done", "red,none", "range:today..+7d"},
		{"unit:eng", "!todo", "!red", "lt:2031-04-16"},
		{"person:me", "none", ",", "2031-04-16T09:30:00+02:00"},
		{"workspace", "", "'; DROP TABLE items; --", "!none"},
		{":", "%s%d", "$1", "range:.."},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	f.Fuzz(func(t *testing.T, container, words, labels, date string) {
		w := &where{by: access.Principal{Kind: access.Person, ID: "1"}, dir: &org.Directory{}, now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), zone: time.UTC}
		err := w.read(Query{
			Container: container, Status: words, Priority: words, Assignee: words, Watcher: words, Unit: words, Parent: words, Labels: labels,
			Due: date, Updated: date, Blocked: "true",
		})
		if err != nil {
			if no := refusal.Of(err); no.Class != refusal.Invalid || len(no.Fields) == 0 {
				t.Fatalf("refused with %v", err)
			}
			return
		}
		said := strings.Join(w.conds, " AND ")
		for i := range w.args {
			if !strings.Contains(said, "$"+strconv.Itoa(i+1)) {
				t.Errorf("value %d stands nowhere in %s", i+1, said)
			}
		}
		if strings.Contains(said, "%!") || strings.Count(said, "(") != strings.Count(said, ")") || strings.Contains(said, "DROP") {
			t.Errorf("conditions %s", said)
		}
	})
}
