package history_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/history"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

const happened = `
	INSERT INTO changes (position, at, actor, actor_name, recorded_as, credential, kind, object, deltas)
	SELECT n, $2, $3, $3, 'operator', 'session:1', $4, $5, '{}'
	FROM generate_series((SELECT position + 1 FROM log_head), (SELECT position + $1 FROM log_head)) AS n`

const raised = `UPDATE log_head SET position = (SELECT max(position) FROM changes)`

// happen adds rows to the log: so many, by whom, of which kind, about what.
func happen(t *testing.T, r *tool.Runner, many int, actor, kind, object string) {
	t.Helper()
	err := r.DB.InTx(t.Context(), func(tx *db.Tx) error {
		if _, err := tx.ExecContext(t.Context(), happened, many, clock, actor, kind, object); err != nil {
			return err
		}
		_, err := tx.ExecContext(t.Context(), raised)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func after(position int64) history.PollEvents { return history.PollEvents{After: &position} }

func TestWhoSeesWhichRows(t *testing.T) {
	t.Parallel()
	r, h := runner(t), history.New(history.Options{})
	for _, row := range [][3]string{
		{"person:bob", "secret.set", "secret:A"}, {"person:bob", "company.revised", "company:"}, {"person:bob", "session.started", "session:2"},
		{"person:ana", "session.started", "session:1"}, {"person:bob", "person.suspended", "person:ana"}, {"person:bob", "token.minted", "token:1"},
		{"person:bob", "item.updated", "item:ENG-1"}, {"person:bob", "nobody.knows", "x:"},
	} {
		happen(t, r, 1, row[0], row[1], row[2])
	}
	for name, c := range map[string]struct {
		grants access.Grants
		topics []string
		want   string
	}{
		"no grant":       {access.None, nil, "4 5"}, // one's own sign-in, and what happened to oneself
		"the state":      {access.StateRead, nil, "2 4 5 7"},
		"secrets":        {access.SecretsRead, nil, "1 4 5"},
		"the record":     {access.AuditRead, nil, "1 2 3 4 5 6 7 8"},
		"one topic":      {access.All, []string{"secrets"}, "1"},
		"one item":       {access.StateRead, []string{"item:ENG-1"}, "7"},
		"another item":   {access.StateRead, []string{"item:ENG-2"}, ""},
		"two topics":     {access.StateRead, []string{"company", "work:ENG"}, "2 7"},
		"one's account":  {access.StateRead, []string{"account"}, "4 5"},
		"every change's": {access.StateRead, []string{"changes"}, "2 4 5 7"},
	} {
		t.Run(name, func(t *testing.T) {
			in := after(0)
			in.Topics = c.topics
			got, err := tool.Do(t.Context(), r, h.PollEvents, reading(c.grants), in)
			var seen []string
			for _, e := range got.Events {
				seen = append(seen, fmt.Sprint(e.Position))
			}
			if err != nil || strings.Join(seen, " ") != c.want || got.Next != 8 || got.More {
				t.Errorf("sees %v to %d, want %s: %v", seen, got.Next, c.want, err)
			}
		})
	}
	if _, err := tool.Do(t.Context(), r, h.PollEvents, reading(access.StateRead), history.PollEvents{Topics: []string{"secrets"}}); !refusal.Is(err, refusal.Forbidden) {
		t.Errorf("a topic that is not theirs: %v", err)
	}
}

// However a caller pages, they see each row once; and who sees few of many
// rows is handed a cursor that moves.
func TestCursorsOfEventsMissNothing(t *testing.T) {
	t.Parallel()
	r, h := runner(t), history.New(history.Options{})
	happen(t, r, 5, "person:bob", "company.revised", "company:")
	happen(t, r, 12_000, "person:bob", "secret.set", "secret:A")
	happen(t, r, 3, "person:bob", "company.revised", "company:")
	var seen []int64
	at, asked := int64(0), 0
	for more := true; more; asked++ {
		in := after(at)
		in.Limit = 2
		got, err := tool.Do(t.Context(), r, h.PollEvents, reading(access.StateRead), in)
		if err != nil || got.Next <= at {
			t.Fatalf("after %d it goes on at %d: %v", at, got.Next, err)
		}
		for _, e := range got.Events {
			seen = append(seen, e.Position)
		}
		at, more = got.Next, got.More
	}
	if want := []int64{1, 2, 3, 4, 5, 12_006, 12_007, 12_008}; !slices.Equal(seen, want) || at != 12_008 || asked > 7 {
		t.Errorf("in %d answers it saw %v, to %d", asked, seen, at)
	}
	got, err := tool.Do(t.Context(), r, h.PollEvents, reading(access.StateRead), history.PollEvents{})
	if err != nil || len(got.Events) != 0 || got.Next != 12_008 {
		t.Errorf("from now on is %+v, %v", got, err)
	}
}

// A cursor of another log would hear nothing until this one came so far, and
// miss all of it.
func TestACursorPastTheLogIsRefused(t *testing.T) {
	t.Parallel()
	r, h := runner(t), history.New(history.Options{})
	happen(t, r, 3, "person:bob", "company.revised", "company:")
	_, err := tool.Do(t.Context(), r, h.PollEvents, reading(access.StateRead), after(4))
	if no := refusal.Of(err); no == nil || no.Class != refusal.Invalid || no.Fields["after"] == "" || no.Details["position"] != int64(3) {
		t.Errorf("got %v", err)
	}
	got, err := tool.Do(t.Context(), r, h.PollEvents, reading(access.StateRead), after(3))
	if err != nil || len(got.Events) != 0 || got.Next != 3 || got.More {
		t.Errorf("at its end it is %+v, %v", got, err)
	}
}
