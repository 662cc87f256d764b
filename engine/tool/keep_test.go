package tool

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"crewlet/db"
	"crewlet/engine/refusal"
)

func TestAnAgedKeyWritesNothing(t *testing.T) {
	t.Parallel()
	r, runs := runner(t), 0
	r.Now = time.Now
	u := writeNote(&runs)
	old := uuid.Must(uuid.NewV7())
	ms := time.Now().Add(-91 * 24 * time.Hour).UnixMilli()
	for i := range 6 {
		old[i] = byte(ms >> (40 - 8*i))
	}
	_, err := Do(t.Context(), r, u, call(old.String()), noteArgs{Text: "a", Also: 1})
	if no := refusal.Of(err); no == nil || no.Class != refusal.UnknownOutcome || runs != 0 {
		t.Errorf("got %v after %d runs", err, runs)
	}
	if _, err := Do(t.Context(), r, u, call(NewKey()), noteArgs{Text: "a", Also: 1}); err != nil {
		t.Error(err)
	}
}

func TestTidyForgetsByAge(t *testing.T) {
	t.Parallel()
	r := runner(t)
	insert := func(age time.Duration, finished bool) string {
		t.Helper()
		key := NewKey()
		err := r.DB.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.ExecContext(t.Context(), `
				INSERT INTO operations (principal, key, tool, arguments, node, started_at, finished_at, sealed)
				VALUES ('person:ana', $1, 'x', '', 'gone', $2, CASE WHEN $3 THEN $2::timestamptz END, 'result')`,
				key, clock.Add(-age), finished)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	gone, sealed, fresh := insert(91*24*time.Hour, true), insert(25*time.Hour, true), insert(time.Hour, true)
	lost, running := insert(3*time.Hour, false), insert(time.Hour, false)
	if err := r.Tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		key, query string
		want       int
	}{
		"past 90 days":     {gone, `SELECT count(*) FROM operations WHERE key = $1`, 0},
		"a day-old result": {sealed, `SELECT count(*) FROM operations WHERE key = $1 AND sealed IS NULL`, 1},
		"a fresh result":   {fresh, `SELECT count(*) FROM operations WHERE key = $1 AND sealed IS NOT NULL`, 1},
		"lost":             {lost, `SELECT count(*) FROM operations WHERE key = $1 AND outcome = 'abandoned'`, 1},
		"under way":        {running, `SELECT count(*) FROM operations WHERE key = $1 AND finished_at IS NULL`, 1},
	} {
		if n := count(t, r.DB, c.query, c.key); n != c.want {
			t.Errorf("%s: %d rows, want %d", name, n, c.want)
		}
	}
}
