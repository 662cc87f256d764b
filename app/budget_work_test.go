//go:build bench

package main

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	_ "github.com/lib/pq"

	"crewlet/handlers/signin/signintest"
	view "crewlet/views/work"
)

// workPages measures lists and an item's page over HTTP, with 10,000 items and
// with 1,000,000, against a bare handler that runs one prepared indexed query
// and renders 50 rows.
func workPages(t *testing.T) []budget {
	s := serving(t, "CREWLET_COMPANY=../docs/demo/company.yaml")
	raw, err := sqlx.Open("postgres", s.setting("CREWLET_DATABASE_URL"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = raw.Close() }()
	link := s.setupLink(t)
	ana := signintest.SetUp(t, s.url, link[strings.LastIndex(link, "/")+1:])
	bareServer := httptest.NewServer(bareList(t, raw))
	defer bareServer.Close()
	floor := page{url: bareServer.URL, holds: "BM-"}
	asked := func(path, holds string) page { return page{url: s.url + path, cookie: ana.Cookie(), holds: holds} }

	stock(t, raw, 0, 10_000)
	few := medians(t, floor, asked("/work", "BM-"))
	stock(t, raw, 10_000, 1_000_000)
	many := medians(t, floor, asked("/work", "BM-"), asked("/work/projects/BM7", "BM7-"), asked("/work/items/BM7-1", "comment-"))
	small, bare, list, project, item := few[1], many[0], many[1], many[2], many[3]
	ratio := func(a, b time.Duration) float64 { return float64(a) / float64(b) }
	told := func(took time.Duration) string {
		return fmt.Sprintf("%.2f× (%s against %s)", ratio(took, bare), took.Round(10*time.Microsecond), bare.Round(10*time.Microsecond))
	}
	return []budget{
		{"a list of 50 items out of 1,000,000", "≤ 2× a bare handler", told(list), ratio(list, bare) <= 2},
		{"the same of one project", "≤ 2× a bare handler", told(project), ratio(project, bare) <= 2},
		{"an item's page with 100 comments", "≤ 3× the same", told(item), ratio(item, bare) <= 3},
		{"a list, from 10,000 to 1,000,000 items", "≤ 1.3×", fmt.Sprintf("%.2f×", ratio(list, small)), ratio(list, small) <= 1.3},
	}
}

// setting is a variable of the node's environment.
func (s *site) setting(name string) string {
	for _, entry := range slices.Backward(s.environ) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// stock fills the tracker with items numbered from one to another, straight
// into its tables: the log knows nothing of them, so the index sleeps.
func stock(t *testing.T, d *sqlx.DB, from, to int) {
	t.Helper()
	for _, statement := range []string{
		`INSERT INTO projects (key, name, unit, created_at) SELECT 'BM' || n, 'bench', '', now() FROM generate_series(0, 9) AS n ON CONFLICT DO NOTHING`,
		fmt.Sprintf(`INSERT INTO items (id, project, no, type, title, folded, description, status, priority, assignee, reporter, labels, due_on, created_at, updated_at)
			SELECT gen_random_uuid(), 'BM' || n %% 10, n / 10 + 1, 'task', 'BM-' || n || ' a title of some words', 'bm ' || n, repeat('Some text of a description. ', 10),
				CASE WHEN n %% 5 = 0 THEN 'todo' WHEN n %% 17 = 0 THEN 'in_progress' ELSE 'done' END, n %% 5,
				CASE WHEN n %% 3 = 0 THEN 'seat:' || n %% 200 ELSE '' END, 'seat:' || n %% 90, '{}',
				CASE WHEN n %% 7 = 0 THEN current_date + (n %% 90) END, now() - n * interval '1 second', now() - n * interval '1 second'
			FROM generate_series(%d, %d) AS n`, from, to-1),
		`INSERT INTO comments (id, item, author, author_name, author_as, body, at)
			SELECT gen_random_uuid(), i.id, 'seat:1', 'bench', 'agent', 'Something **was** said, number ' || n, now() FROM items i, generate_series(1, 100) AS n
			WHERE i.project = 'BM7' AND i.no = 1 AND NOT EXISTS (SELECT 1 FROM comments c WHERE c.item = i.id)`,
		`VACUUM ANALYZE items`, `ANALYZE comments`, `CHECKPOINT`,
	} {
		if _, err := d.Exec(statement); err != nil {
			t.Fatalf("%v: %.60s", err, statement)
		}
	}
}

// bareList is the floor: no shell, no sign-in, no rule.
func bareList(t *testing.T, d *sqlx.DB) http.Handler {
	t.Helper()
	const newest = `
		SELECT project || '-' || no AS key, title, status, updated_at FROM items WHERE open ORDER BY updated_at DESC, id DESC LIMIT 50`
	query, err := d.Preparex(newest)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = query.Close() })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var rows []struct {
			Key, Title, Status string
			Updated            sql.NullTime `db:"updated_at"`
		}
		if err := query.SelectContext(r.Context(), &rows); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		var list view.List
		for _, row := range rows {
			list.Rows = append(list.Rows, view.Item{Key: row.Key, Title: row.Title, Status: row.Status, Type: "task", Priority: "normal", Updated: row.Updated.Time, Now: time.Now()})
		}
		_ = view.ItemsPart(list).Render(r.Context(), w) // the client looks at what came
	})
}

// page is one that is asked for, and what it has to hold.
type page struct{ url, cookie, holds string }

// medians are how long pages take, of many of each, asked for in turns on one
// connection: what else the machine does falls on all of them alike.
func medians(t *testing.T, pages ...page) []time.Duration {
	t.Helper()
	const warm, rounds, each = 3, 33, 10
	took := make([]series, len(pages))
	for round := range warm + rounds {
		for i, p := range pages {
			for range each {
				began := time.Now()
				p.get(t)
				if round >= warm {
					took[i].took = append(took[i].took, time.Since(began))
				}
			}
		}
	}
	all := make([]time.Duration, len(pages))
	for i, one := range took {
		all[i] = one.median()
	}
	return all
}

func (p page) get(t *testing.T) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Cookie", p.cookie)
	r.Header.Set("Accept", "text/html")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(body), p.holds) {
		t.Fatalf("%s: %d %v, %d bytes", p.url, answer.StatusCode, err, len(body))
	}
}
