package history_test

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"crewlet/db"
	"crewlet/db/dbtest"
	"crewlet/engine/access"
	"crewlet/engine/history"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var clock = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func runner(t *testing.T) *tool.Runner {
	t.Helper()
	return &tool.Runner{DB: dbtest.New(t), Now: func() time.Time { return clock }, Log: slog.New(slog.DiscardHandler), Node: "here", Max: access.All}
}

func reading(grants access.Grants) *tool.Call {
	return &tool.Call{By: access.Principal{Kind: access.Person, ID: "ana", Name: "ana", Grants: grants}, Door: "page"}
}

const recorded = `
	INSERT INTO audit (at, actor, actor_name, credential, door, verb, object, outcome, reason, request_id)
	VALUES ($1, 'person:' || $2, $2, 'session:1', 'page', $3, $4, $5, '', 'r')`

func record(t *testing.T, r *tool.Runner, rows ...[4]string) {
	t.Helper()
	err := r.DB.InTx(t.Context(), func(tx *db.Tx) error {
		for _, row := range rows {
			if _, err := tx.ExecContext(t.Context(), recorded, clock, row[0], row[1], row[2], row[3]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheRecordIsFiltered(t *testing.T) {
	t.Parallel()
	r, h := runner(t), history.New(history.Options{})
	record(t, r,
		[4]string{"ana", "set_secret", "secret:A", "applied"},
		[4]string{"bob", "set_secret", "secret:B", "forbidden"},
		[4]string{"ana", "write_config", "company:", "unchanged"},
		[4]string{"ana", "delete_secret", "secret:A", "still_referenced"},
	)
	for name, c := range map[string]struct {
		in   history.ListAudit
		want string // ids, newest first
	}{
		"everything":         {history.ListAudit{}, "[4 3 2 1]"},
		"by name":            {history.ListAudit{Actor: "bob"}, "[2]"},
		"by principal":       {history.ListAudit{Actor: "person:ana"}, "[4 3 1]"},
		"by verb":            {history.ListAudit{Verb: "set_secret"}, "[2 1]"},
		"by object":          {history.ListAudit{Object: "secret:A"}, "[4 1]"},
		"by kind of object":  {history.ListAudit{Object: "secret:"}, "[4 2 1]"},
		"by outcome":         {history.ListAudit{Outcome: "applied"}, "[1]"},
		"refused":            {history.ListAudit{Outcome: history.Refused}, "[4 2]"},
		"several":            {history.ListAudit{Actor: "ana", Object: "secret:A", Outcome: "applied"}, "[1]"},
		"older than":         {history.ListAudit{Before: 3}, "[2 1]"},
		"a quote in a value": {history.ListAudit{Actor: "' OR 1=1 --"}, "[]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page, err := tool.Do(t.Context(), r, h.ListAudit, reading(access.AuditRead), c.in)
			if err != nil {
				t.Fatal(err)
			}
			ids := []int64{}
			for _, e := range page.Entries {
				ids = append(ids, e.ID)
			}
			if got := fmt.Sprint(ids); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestTheRecordIsPaged(t *testing.T) {
	t.Parallel()
	r, h := runner(t), history.New(history.Options{})
	for range 5 {
		record(t, r, [4]string{"ana", "set_secret", "secret:A", "applied"})
	}
	var seen []int64
	in := history.ListAudit{Limit: 2}
	for {
		page, err := tool.Do(t.Context(), r, h.ListAudit, reading(access.AuditRead), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Entries {
			seen = append(seen, e.ID)
		}
		if in.Before = page.Next; in.Before == 0 {
			break
		}
	}
	if fmt.Sprint(seen) != "[5 4 3 2 1]" {
		t.Errorf("saw %v", seen)
	}
}

func TestTheLogIsReadFromACursor(t *testing.T) {
	t.Parallel()
	r, h := runner(t), history.New(history.Options{})
	err := r.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(t.Context(), `
			INSERT INTO changes (position, at, actor, actor_name, recorded_as, credential, kind, object, deltas)
			SELECT n, $1, 'person:ana', 'ana', 'operator', 'session:1', 'secret.set', 'secret:A', '{}' FROM generate_series(1, 5) AS n`, clock)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	page, err := tool.Do(t.Context(), r, h.ListChanges, reading(access.AuditRead), history.ListChanges{After: 1, Limit: 3})
	if err != nil || len(page.Changes) != 3 || page.Changes[0].Position != 2 || page.Next != 4 {
		t.Errorf("got %+v %v", page, err)
	}
	end, err := tool.Do(t.Context(), r, h.ListChanges, reading(access.AuditRead), history.ListChanges{After: 5})
	if err != nil || len(end.Changes) != 0 || end.Next != 5 {
		t.Errorf("at the end: %+v %v", end, err)
	}
}

func TestTheRecordIsForThoseWhoMayReadIt(t *testing.T) {
	t.Parallel()
	r, h := runner(t), history.New(history.Options{})
	_, err := tool.Do(t.Context(), r, h.ListAudit, reading(access.StateRead), history.ListAudit{})
	if !refusal.Is(err, refusal.Forbidden) {
		t.Errorf("got %v", err)
	}
	_, err = tool.Do(t.Context(), r, h.ListAudit, reading(access.AuditRead), history.ListAudit{Limit: 101})
	if no := refusal.Of(err); no == nil || no.Class != refusal.Invalid || no.Fields["limit"] == "" {
		t.Errorf("got %v", err)
	}
}
