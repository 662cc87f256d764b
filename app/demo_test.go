package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crewlet/db/dbtest"
)

// filled is a node nobody serves, with a database of its own and these
// settings.
func filled(t *testing.T, environ ...string) *site {
	t.Helper()
	return &site{environ: append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "CREWLET_DATA=" + t.TempDir(), "CREWLET_DATABASE_URL=" + dbtest.URL(t),
	}, environ...)}
}

func TestTheDemosWork(t *testing.T) {
	s := filled(t)
	out, err := s.command(t, "", "demo")
	if err != nil || !strings.Contains(out, "Paper Kites has 200 items now") {
		t.Fatalf("said %q, %v", out, err)
	}
	counts := func() map[string]int {
		all := map[string]int{}
		for what, query := range map[string]string{
			"items":               `SELECT count(*) FROM items`,
			"projects":            `SELECT count(*) FROM projects WHERE unit <> '' AND open > 0 AND done > 0`,
			"seats":               `SELECT count(*) FROM seats`,
			"of people":           `SELECT count(*) FROM asks a JOIN seats s ON a.addressee = 'seat:' || s.id WHERE a.state = 'open' AND s.handle = 'ada'`,
			"unread of people":    `SELECT count(*) FROM notices n JOIN seats s ON n.party = 'seat:' || s.id WHERE n.reason = 'asked' AND n.read_at IS NULL AND s.handle = 'ada'`,
			"read":                `SELECT count(*) FROM notices WHERE read_at IS NOT NULL`,
			"questions":           `SELECT count(*) FROM asks WHERE state = 'open'`,
			"answers":             `SELECT count(*) FROM asks WHERE state = 'answered'`,
			"decisions":           `SELECT count(*) FROM asks WHERE options <> '[]'`,
			"comments":            `SELECT count(*) FROM comments`,
			"parts":               `SELECT count(*) FROM items WHERE parent IS NOT NULL`,
			"dependencies":        `SELECT count(*) FROM item_links WHERE kind = 'waiting_on'`,
			"blocked":             `SELECT count(*) FROM items WHERE open AND blockers > 0`,
			"overdue":             `SELECT count(*) FROM items WHERE open AND due_on < now()::date`,
			"done":                `SELECT count(*) FROM items WHERE status = 'done'`,
			"at work":             `SELECT count(*) FROM items WHERE status_group = 'active'`,
			"watchers":            `SELECT count(*) FROM item_parties`,
			"mentions":            `SELECT count(*) FROM notices WHERE reason = 'mention'`,
			"queued":              `SELECT count(*) FROM priorities`,
			"rewritten":           `SELECT count(*) FROM item_editions WHERE edition > 1`,
			"changes":             `SELECT count(*) FROM changes`,
			"of the future":       `SELECT count(*) FROM changes WHERE at > now()`,
			"refused":             `SELECT count(*) FROM audit WHERE outcome NOT IN ('applied', 'unchanged')`,
			"accounts":            `SELECT count(*) FROM people`,
			"out of order":        `SELECT count(*) FROM (SELECT at < lag(at) OVER (ORDER BY position) AS back FROM changes) AS x WHERE back`,
			"wrong blocker count": `SELECT count(*) FROM items WHERE NOT open AND blockers > 0 AND status = 'done'`,
		} {
			all[what] = s.number(t, query)
		}
		return all
	}
	first := counts()
	for what, n := range map[string]int{"items": 200, "projects": 3, "seats": 12, "of the future": 0, "refused": 0, "accounts": 0, "out of order": 0, "wrong blocker count": 0} {
		if first[what] != n {
			t.Errorf("%s: %d, want %d", what, first[what], n)
		}
	}
	for what, n := range map[string]int{
		"of people": 5, "unread of people": 5, "read": 100, "questions": 12, "answers": 10, "decisions": 12, "comments": 150, "parts": 130, "dependencies": 100, "blocked": 20,
		"overdue": 3, "done": 60, "at work": 15, "watchers": 100, "mentions": 5, "queued": 10, "rewritten": 1,
	} {
		if first[what] < n {
			t.Errorf("%s: %d, want %d at least", what, first[what], n)
		}
	}
	t.Log(first)
	out, err = s.command(t, "", "demo")
	if err != nil || !strings.Contains(out, "There are 200 items already") {
		t.Errorf("a second time: %q, %v", out, err)
	}
	for what, n := range counts() {
		if n != first[what] {
			t.Errorf("a second time, %s: %d, before %d", what, n, first[what])
		}
	}
}

// Whose company is another's is left alone.
func TestTheDemoIsOnlyForItself(t *testing.T) {
	file := filepath.Join(t.TempDir(), "company.yaml")
	if err := os.WriteFile(file, []byte("name: Acme\nroles: [{name: Ada, kind: human}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := filled(t)
	s.must(t, "", "company", "import", file)
	out, err := s.command(t, "", "demo")
	if err == nil || !strings.Contains(err.Error(), `"Acme"`) || !strings.Contains(err.Error(), "project KITE") {
		t.Errorf("said %q, %v", out, err)
	}
	if n := s.number(t, `SELECT count(*) FROM revisions`); n != 1 {
		t.Errorf("%d revisions", n)
	}
}
