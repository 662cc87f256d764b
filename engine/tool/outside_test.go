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

func TestClosingIsWrittenWithTheEnd(t *testing.T) {
	t.Parallel()
	r, runs := runner(t), 0
	u := callOut(&runs, func(c *Call) {
		c.Closing(func(ctx context.Context, tx *db.Tx) error {
			_, err := tx.ExecContext(ctx, `UPDATE operations SET node = 'closed' WHERE key = $1`, c.Key)
			return err
		})
	})
	for text, class := range map[string]refusal.Class{"a": "", "no": refusal.Unavailable} {
		c := call(NewKey())
		if _, err := Do(t.Context(), r, u, c, noteArgs{Text: text}); class != "" && !refusal.Is(err, class) || class == "" && err != nil {
			t.Errorf("got %v", err)
		}
		if n := count(t, r.DB, `SELECT count(*) FROM operations WHERE key = $1 AND node = 'closed' AND finished_at IS NOT NULL`, c.Key); n != 1 {
			t.Errorf("%s: %d rows were closed", text, n)
		}
	}
}
