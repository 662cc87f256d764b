package tracker

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/org"
)

func TestNobodysOwnIsFoundByReadingAll(t *testing.T) {
	t.Parallel()
	d := filled(t)
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		for _, statement := range []string{
			`INSERT INTO item_parties (item, party, role) SELECT id, 'seat:' || no % 200, 'watcher' FROM items`,
			`INSERT INTO item_parties (item, party, role) SELECT id, 'seat:' || no % 300, 'collaborator' FROM items`,
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
	own, why, now := pq.Array([]string{"seat:7", "person:8"}), pq.Array(reasonOrder), time.Now()
	for name, q := range map[string]struct {
		query string
		args  []any
	}{
		"work":             {myWork, []any{own, part, now.Add(-recent)}},
		"a queue":          {queueRead, []any{own, part}},
		"inbox":            {inboxRead, []any{own, "seat:7", why, now, "primary", false, nil, nil, 51}},
		"inbox, a page on": {inboxRead, []any{own, "seat:7", why, now, "all", true, now, uuid.NewString(), 51}},
		"who was told":     {routed, []any{"PA", 7, nil, nil, 51, why}},
		"saves":            {editionsOf, []any{"PA", 7, 0, 51}},
		"a save":           {oneEdition, []any{"PA", 7, 1, 0}},
		"a comment":        {oneComment, []any{uuid.NewString()}},
	} {
		t.Run(name, func(t *testing.T) { reads(t, d, q.query, q.args...) })
	}
	for name, in := range map[string]TaskActivity{
		"an item's history": {Item: "PA-7"}, "a project's": {Project: "PA"}, "a project's, described": {Project: "PA", Describe: true}, "all history": {}, "what one did": {Author: "me"}, "a kind": {Kind: "comment", Project: "PA"},
	} {
		t.Run(name, func(t *testing.T) {
			w := &where{by: access.Principal{Kind: access.Seat, ID: "1"}, dir: &org.Directory{}, now: now, zone: time.UTC}
			if err := w.narrow(in); err != nil {
				t.Fatal(err)
			}
			in.Limit = 50
			query := w.history(in)
			reads(t, d, query, w.args...)
		})
	}
}
