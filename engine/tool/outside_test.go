package tool

import (
	"context"
	"errors"
	"testing"

	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/refusal"
)

// callOut leaves the database: it answers, refuses or breaks as it is asked.
func callOut(runs *int, meanwhile func(c *Call)) Use[noteArgs, noteOut] {
	return Declare(Spec{Name: "call_out", Brief: "Call something.", Access: access.Write(access.WorkWrite), Mode: Outside},
		func(_ context.Context, c *Call, in noteArgs) (noteOut, error) {
			*runs++
			meanwhile(c)
			switch in.Text {
			case "no":
				return noteOut{}, refusal.Unavailable.Say("The server is down.").With("server", "x")
			case "broken":
				return noteOut{}, errors.New("the cause")
			}
			return noteOut{Text: in.Text}, nil
		})
}

type noteOut struct {
	Text string `json:"text"`
}

func TestOutsideIsClaimedBeforeAndRecordedAfter(t *testing.T) {
	t.Parallel()
	r, runs := runner(t), 0
	u := callOut(&runs, func(c *Call) {
		if c.Tx != nil {
			t.Error("a transaction is open while the call runs")
		}
		if n := count(t, r.DB, `SELECT count(*) FROM operations WHERE finished_at IS NULL AND key = $1`, c.Key); n != 1 {
			t.Errorf("%d started rows while it runs", n)
		}
	})
	for text, class := range map[string]refusal.Class{"a": "", "no": refusal.Unavailable, "broken": refusal.Internal} {
		t.Run(text, func(t *testing.T) {
			runs = 0
			key := NewKey()
			for send := range 3 {
				c := call(key)
				out, err := Do(t.Context(), r, u, c, noteArgs{Text: text})
				no := refusal.Of(err)
				if class == "" && (err != nil || out.Text != text) || class != "" && (no == nil || no.Class != class) {
					t.Errorf("send %d: %v %v", send, out, err)
				}
				if text == "no" && no.Details["server"] != "x" {
					t.Errorf("send %d: the repeat lost its details: %v", send, no.Details)
				}
			}
			if runs != 1 {
				t.Errorf("it ran %d times", runs)
			}
			outcome := string(class)
			if class == "" {
				outcome = "applied"
			}
			if n := count(t, r.DB, `SELECT count(*) FROM audit WHERE verb = 'call_out' AND outcome = $1`, outcome); n != 1 {
				t.Errorf("the call left %d rows", n)
			}
		})
	}
}

func TestOutsideLeftStarted(t *testing.T) {
	t.Parallel()
	r, runs := runner(t), 0
	u := callOut(&runs, func(*Call) {})
	key := NewKey()
	op, err := r.operation(u.Spec, call(key), noteArgs{Text: "a"})
	if err != nil {
		t.Fatal(err)
	}
	c := call(key)
	c.Now = clock
	if _, claimed, err := r.begin(t.Context(), c, op); err != nil || !claimed {
		t.Fatal(claimed, err)
	}
	if err := r.CloseAbandoned(t.Context(), "here"); err != nil {
		t.Fatal(err)
	}
	_, err = Do(t.Context(), r, u, call(key), noteArgs{Text: "a"})
	if no := refusal.Of(err); no == nil || no.Class != refusal.Unavailable || no.Details["may_have_taken_effect"] != true || runs != 0 {
		t.Errorf("a call left started answers %v, ran %d times", err, runs)
	}
}

func TestHarmlessClaimsNothing(t *testing.T) {
	t.Parallel()
	r, runs := runner(t), 0
	u := callOut(&runs, func(c *Call) {
		if c.Claimed() {
			t.Error("a harmless call says that it is claimed")
		}
	}).Harmless(func(_ context.Context, in noteArgs) bool { return in.Text != "b" })
	key := NewKey()
	for range 2 {
		c := call(key)
		if out, err := Do(t.Context(), r, u, c, noteArgs{Text: "a"}); err != nil || out.Text != "a" || c.Landed.Outcome != "read" {
			t.Errorf("got %v %v %+v", out, err, c.Landed)
		}
	}
	if runs != 2 || count(t, r.DB, `SELECT count(*) FROM operations`) != 0 {
		t.Errorf("it ran %d times", runs)
	}
	if _, err := Do(t.Context(), r, u, call(NewKey()), noteArgs{Text: "no"}); !refusal.Is(err, refusal.Unavailable) {
		t.Errorf("got %v", err)
	}
	if n := count(t, r.DB, `SELECT count(*) FROM audit WHERE outcome = 'unavailable'`); n != 1 {
		t.Errorf("the refusal left %d rows", n)
	}
}

// What is recorded is written with the end of the call, whether it ended well
// or not, and once.
func TestRecordedWithTheEnd(t *testing.T) {
	t.Parallel()
	r, runs := runner(t), 0
	err := r.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(t.Context(), `CREATE TABLE notes (text text, key uuid)`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	u := callOut(&runs, func(c *Call) { c.Record(map[string]any{"text": "a \"note\"", "key": c.Key}) }).
		Recording(`INSERT INTO notes (text, key) SELECT text, key FROM json_to_recordset($1::json) AS n(text text, key uuid)`)
	for text, class := range map[string]refusal.Class{"a": "", "no": refusal.Unavailable} {
		c := call(NewKey())
		for range 2 {
			if _, err := Do(t.Context(), r, u, c, noteArgs{Text: text}); class != "" && !refusal.Is(err, class) || class == "" && err != nil {
				t.Errorf("got %v", err)
			}
		}
		if n := count(t, r.DB, `SELECT count(*) FROM notes WHERE key = $1 AND text = 'a "note"'`, c.Key); n != 1 {
			t.Errorf("%s: %d rows are recorded", text, n)
		}
	}
}

// A call the log is told of raises its position once.
func TestOutsideTellsTheLog(t *testing.T) {
	t.Parallel()
	r, runs := runner(t), 0
	u := callOut(&runs, func(c *Call) { c.Changed("note.called", "note:1", nil) })
	c := call(NewKey())
	if _, err := Do(t.Context(), r, u, c, noteArgs{Text: "a"}); err != nil || c.Landed.Position == 0 {
		t.Fatal(c.Landed, err)
	}
	if n := count(t, r.DB, `SELECT count(*) FROM changes, log_head WHERE kind = 'note.called' AND changes.position = log_head.position`); n != 1 {
		t.Errorf("%d rows of the log", n)
	}
}

// An end that is sent twice, for the first answer was lost, is written once;
// and one that comes after the call was given up for lost counts all the same.
func TestAnEndIsWrittenOnce(t *testing.T) {
	t.Parallel()
	r, runs := runner(t), 0
	u := callOut(&runs, func(*Call) {})
	c := call(NewKey())
	c.Now = clock
	op, err := r.operation(u.Spec, c, noteArgs{Text: "a"})
	if err != nil {
		t.Fatal(err)
	}
	if _, claimed, err := r.begin(t.Context(), c, op); err != nil || !claimed {
		t.Fatal(claimed, err)
	}
	if err := r.CloseAbandoned(t.Context(), "here"); err != nil {
		t.Fatal(err)
	}
	for _, outcome := range []string{"applied", "unavailable"} {
		if err := r.end(t.Context(), u.ends, c, op, ending{outcome: outcome}); err != nil {
			t.Fatal(err)
		}
	}
	if n := count(t, r.DB, `SELECT count(*) FROM operations WHERE key = $1 AND outcome = 'applied'`, op.Key); n != 1 {
		t.Errorf("the end is not the first")
	}
	if n := count(t, r.DB, `SELECT count(*) FROM audit`); n != 1 {
		t.Errorf("%d rows of the record", n)
	}
}
