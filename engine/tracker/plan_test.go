package tracker

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"crewlet/db"
	"crewlet/db/dbtest"
	"crewlet/engine/access"
	"crewlet/engine/org"
)

// filled is a database in which a plan that reads everything would be noticed:
// 40,000 items in 20 projects, with what is said and told of them.
func filled(t *testing.T) *db.DB {
	d := dbtest.New(t)
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		for _, statement := range []string{
			`INSERT INTO projects (key, name, unit, created_at) SELECT 'P' || chr(65 + n), 'p', 'u', now() FROM generate_series(0, 19) AS n`,
			`INSERT INTO items (id, project, no, type, title, folded, status, priority, assignee, reporter, labels, due_on, created_at, updated_at, unit)
			 SELECT gen_random_uuid(), 'P' || chr(65 + n % 20), n / 20 + 1, 'task', 'title ' || n, 'title ' || n,
				CASE WHEN n % 4 = 0 THEN 'todo' WHEN n % 9 = 0 THEN 'in_progress' ELSE 'done' END, n % 5,
				CASE WHEN n % 3 = 0 THEN 'seat:' || n % 200 ELSE '' END, 'seat:' || n % 90,
				CASE WHEN n % 500 = 0 THEN ARRAY['red'] ELSE '{}'::text[] END, CASE WHEN n % 7 = 0 THEN current_date + (n % 90) END,
				now() - n * interval '1 minute', now() - n * interval '1 minute', 'u'
			 FROM generate_series(0, 39999) AS n`,
			`INSERT INTO comments (id, item, author, author_name, author_as, body, at) SELECT gen_random_uuid(), id, 'seat:1', 'a', 'agent', 'said', now() FROM items`,
			`INSERT INTO notices (id, party, item, reason, kind, actor, actor_name, summary, operation, at)
			 SELECT gen_random_uuid(), 'seat:' || no % 200, id, 'watcher', 'item.updated', 'seat:1', 'a', 's', gen_random_uuid(), now() FROM items`,
			`INSERT INTO changes (position, at, actor, actor_name, recorded_as, credential, kind, object, deltas)
			 SELECT n + 1000, now(), 'seat:1', 'a', 'agent', '', 'item.updated', 'item:P' || chr(65 + n % 20) || '-' || (n / 20 + 1), '{}' FROM generate_series(0, 39999) AS n`,
			`ANALYZE`,
		} {
			if _, err := tx.ExecContext(t.Context(), statement); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// reads fails where a statement would read a whole large table.
func reads(t *testing.T, d *db.DB, query string, args ...any) {
	t.Helper()
	var plan []string
	err := d.Snapshot(t.Context(), func(tx *db.Tx) error {
		return tx.SelectBuilt(t.Context(), &plan, "EXPLAIN "+query, args...)
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, query)
	}
	whole := strings.Join(plan, "\n")
	for _, table := range []string{"items", "changes", "notices", "comments"} {
		if strings.Contains(whole, "Seq Scan on "+table) {
			t.Errorf("%s is read whole by\n%s\n%s", table, query, whole)
		}
	}
}

func TestNoListReadsAllItems(t *testing.T) {
	t.Parallel()
	d := filled(t)
	last := uuid.NewString()
	cursors := map[string]string{
		"-updated": time.Now().Format(time.RFC3339Nano), "updated": time.Now().Format(time.RFC3339Nano), "-created": time.Now().Format(time.RFC3339Nano),
		"created": time.Now().Format(time.RFC3339Nano), "due": "2031-01-01", "-priority": "3 " + time.Now().Format(time.RFC3339Nano), "key": "PA-7",
	}
	for name, q := range map[string]Query{
		"all work": {}, "finished too": {ShowClosed: "true"}, "a project": {Container: "project:PA"}, "a project, finished too": {Container: "project:PA", ShowClosed: "true"},
		"mine": {Assignee: "me"}, "a status": {Status: "in_progress"}, "a project's status": {Container: "project:PA", Status: "done"},
	} {
		for sort, value := range cursors {
			for i, cursor := range []string{"", (cursor{Sort: sort, Value: value, ID: last}).String(), ""} {
				w := &where{by: access.Principal{Kind: access.Seat, ID: "7"}, dir: &org.Directory{}, now: time.Now(), zone: time.UTC}
				if err := w.read(q); err != nil {
					t.Fatal(err)
				}
				query, err := w.page(ListItems{Query: q, Sort: sort, Cursor: cursor, Limit: 50, Describe: i == 2})
				if err != nil {
					t.Fatal(err)
				}
				t.Run(name+" by "+sort, func(t *testing.T) { reads(t, d, query, w.args...) })
			}
		}
	}
	for name, q := range map[string]Query{
		"a label": {Labels: "red"}, "parts": {Parent: "PA-1"}, "due soon": {Due: "lte:+7d"}, "reported": {Reporter: "me"}, "triage": {Preset: "triage", Container: "project:PA"},
	} {
		w := &where{by: access.Principal{Kind: access.Seat, ID: "7"}, dir: &org.Directory{}, now: time.Now(), zone: time.UTC}
		if err := w.read(q); err != nil {
			t.Fatal(err)
		}
		query, err := w.page(ListItems{Query: q, Sort: "-updated", Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { reads(t, d, query, w.args...) })
	}
	t.Run("an item whole", func(t *testing.T) { reads(t, d, wholeByKey, "PA", 7) })
	t.Run("the title it has", func(t *testing.T) { reads(t, d, sameTitle, "PA", "title 20", nil) })
	t.Run("what changed it", func(t *testing.T) { reads(t, d, changedSince, "item:PA-7", 5) })
}
