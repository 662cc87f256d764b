package main

import (
	"strings"
	"testing"

	"crewlet/db/dbtest"
)

// mostQueries is what a page may ask the database, the sign-in look-up among
// it and the words that begin and end a transaction apart.
const mostQueries = 3

func TestQueriesOfEachPage(t *testing.T) {
	m := metered(t, dbtest.URL(t))
	s := fullCompany(t, "CREWLET_DATABASE_URL="+m.url)
	stranger, ana := s.visitor(t), s.visitor(t)
	ana.signIn()
	s.write(t, `INSERT INTO projects (key, name, unit, created_at) VALUES ('NEW', 'New', '', now())`)
	pages := append(s.walk(t), stop{at: "/work/projects/NEW"}, stop{at: "/work/projects/ENG?assignee=none&status=in_review"}, stop{at: "/work?q=nothing+like+this"},
		stop{at: "/work/mine?person=chief"}, stop{at: "/inbox?box=other"})
	for _, p := range pages {
		who := ana
		if p.stranger {
			who = stranger
		}
		least := fewest(m, func() { who.get(p.at) })
		t.Logf("%d  %s", len(least), p.at)
		if len(least) > mostQueries {
			t.Errorf("%s asks %d times:\n  %s", p.at, len(least), strings.Join(least, "\n  "))
		}
	}
}

// fewest asks several times: what the node does by itself meanwhile, and what a
// page does once a minute, is in some of them and not in all.
func fewest(m *meter, ask func()) []string {
	least := m.during(ask)
	for range 4 {
		if next := m.during(ask); len(next) < len(least) {
			least = next
		}
	}
	return least
}
