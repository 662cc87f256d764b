package tool

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"log/slog"
	"testing"
	"time"

	"crewlet/db"
	"crewlet/db/dbtest"
	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/refusal"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var clock = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func runner(t *testing.T) *Runner {
	t.Helper()
	return &Runner{
		DB: dbtest.New(t), Now: func() time.Time { return clock }, Log: slog.New(slog.DiscardHandler), Node: "here", Max: access.All,
		Keys: Keys{
			Digest: func(data []byte) []byte {
				mac := hmac.New(sha256.New, []byte("test"))
				mac.Write(data)
				return mac.Sum(nil)
			},
			Seal: func(plain []byte, about string) ([]byte, error) { return append([]byte(about+"|"), plain...), nil },
			Open: func(sealed []byte, about string) ([]byte, error) { return sealed[len(about)+1:], nil },
		},
	}
}

type noteArgs struct {
	Text string `json:"text" validate:"required,max=20"`
	Also int    `json:"also,omitempty"`
}

type note struct {
	Text  string `json:"text"`
	Value string `json:"value,omitempty"`
}

func (n note) WithoutValue() note { return note{Text: n.Text} }

// writeNote changes as many things as it is asked, and counts its runs.
func writeNote(runs *int) Use[noteArgs, note] {
	spec := Spec{Name: "write_note", Brief: "Write a note.", Access: access.Write(access.WorkWrite), Once: true}
	return Declare(spec, func(_ context.Context, c *Call, in noteArgs) (note, error) {
		*runs++
		if in.Text == "no" {
			return note{}, refusal.Invalid.Say("Not that.").On("text")
		}
		for range in.Also {
			c.Changed("note.written", "note:"+in.Text, map[string]changes.Delta{"text": {To: in.Text}})
		}
		if in.Also == 0 {
			c.Unchanged()
		}
		return note{Text: in.Text, Value: "shown once"}, nil
	})
}

func by(id string) access.Principal {
	return access.Principal{Kind: access.Person, ID: id, Credential: "session:1", Name: "ana", Grants: access.All, Fresh: true}
}

func call(key string) *Call { return &Call{By: by("ana"), Key: key, Door: "page", RequestID: "r1"} }

func count(t *testing.T, d *db.DB, query string, args ...any) int {
	t.Helper()
	var n int
	if err := d.GetContext(t.Context(), &n, query, args...); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestWriteLandsOnceAndIsRecorded(t *testing.T) {
	t.Parallel()
	r, runs := runner(t), 0
	u := writeNote(&runs)
	key := NewKey()
	first := call(key)
	out, err := Do(t.Context(), r, u, first, noteArgs{Text: "a", Also: 3})
	if err != nil || out.Value != "shown once" || first.Landed != (Receipt{Outcome: "applied", Position: 3}) {
		t.Fatalf("first: %v %v %+v", out, err, first.Landed)
	}
	again := call(key)
	out, err = Do(t.Context(), r, u, again, noteArgs{Text: "a", Also: 3})
	if err != nil || out != (note{Text: "a"}) || again.Landed != (Receipt{Outcome: "applied", Position: 3, Repeated: true}) {
		t.Fatalf("repeat: %v %v %+v", out, err, again.Landed)
	}
	if runs != 1 {
		t.Errorf("it ran %d times", runs)
	}
	rows, err := changes.After(t.Context(), r.DB, 0, 10)
	if err != nil || len(rows) != 3 || rows[2].Position != 3 || rows[0].Actor != "person:ana" || string(rows[0].Deltas) != `{"text":{"to":"a"}}` {
		t.Errorf("log: %+v %v", rows, err)
	}
	if n := count(t, r.DB, `SELECT count(*) FROM audit WHERE verb = 'write_note' AND outcome = 'applied' AND object = 'note:a' AND position = 3 AND door = 'page' AND request_id = 'r1'`); n != 1 {
		t.Errorf("%d audit rows, want 1", n)
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	r, runs := runner(t), 0
	u := writeNote(&runs)
	key := NewKey()
	if _, err := Do(t.Context(), r, u, call(key), noteArgs{Text: "a", Also: 1}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		call *Call
		in   noteArgs
		want refusal.Class
	}{
		"same key, other arguments": {call(key), noteArgs{Text: "b", Also: 1}, refusal.Conflict},
		"no key":                    {call(""), noteArgs{Text: "a"}, refusal.OpIDInvalid},
		"a UUIDv4":                  {call("9b2f6f0e-3c57-4d0c-8a2e-0d3c6f1f9a11"), noteArgs{Text: "a"}, refusal.OpIDInvalid},
		"a key in braces":           {call("{" + key + "}"), noteArgs{Text: "a"}, refusal.OpIDInvalid},
		"somebody else's key":       {&Call{By: by("ben"), Key: key}, noteArgs{Text: "b", Also: 1}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Do(t.Context(), r, u, c.call, c.in)
			if no := refusal.Of(err); (no == nil) != (c.want == "") || no != nil && no.Class != c.want {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestRefusalRollsBackAndLeavesItsRow(t *testing.T) {
	t.Parallel()
	r, runs := runner(t), 0
	u := writeNote(&runs)
	poor := call(NewKey())
	poor.By.Grants = access.StateRead
	for name, c := range map[string]struct {
		call  *Call
		in    noteArgs
		class refusal.Class
	}{
		"the rule says no":    {call(NewKey()), noteArgs{Text: "no"}, refusal.Invalid},
		"the row says no":     {poor, noteArgs{Text: "a"}, refusal.Forbidden},
		"a tag says no":       {call(NewKey()), noteArgs{}, refusal.Invalid},
		"too long":            {call(NewKey()), noteArgs{Text: "123456789012345678901"}, refusal.Invalid},
		"NUL":                 {call(NewKey()), noteArgs{Text: "a\x00b"}, refusal.Invalid},
		"a control character": {call(NewKey()), noteArgs{Text: "a\x1bb"}, refusal.Invalid},
		"not UTF-8":           {call(NewKey()), noteArgs{Text: "a\xffb"}, refusal.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			before := count(t, r.DB, `SELECT count(*) FROM audit WHERE outcome = $1`, string(c.class))
			_, err := Do(t.Context(), r, u, c.call, c.in)
			if !refusal.Is(err, c.class) {
				t.Errorf("got %v, want %s", err, c.class)
			}
			if n := count(t, r.DB, `SELECT count(*) FROM audit WHERE outcome = $1`, string(c.class)); n != before+1 {
				t.Errorf("%d rows of the refusal, want 1", n-before)
			}
		})
	}
	if n := count(t, r.DB, `SELECT count(*) FROM operations`); n != 0 {
		t.Errorf("%d keys are kept of calls that were refused", n)
	}
}

func TestNodeCeiling(t *testing.T) {
	t.Parallel()
	r, runs := runner(t), 0
	r.Max = access.StateRead
	_, err := Do(t.Context(), r, writeNote(&runs), call(NewKey()), noteArgs{Text: "a"})
	if !refusal.Is(err, refusal.Forbidden) {
		t.Errorf("got %v over the node's ceiling", err)
	}
}

func TestUnchangedRaisesNothing(t *testing.T) {
	t.Parallel()
	r, runs := runner(t), 0
	c := call(NewKey())
	if _, err := Do(t.Context(), r, writeNote(&runs), c, noteArgs{Text: "a"}); err != nil {
		t.Fatal(err)
	}
	if c.Landed != (Receipt{Outcome: "unchanged"}) {
		t.Errorf("landed %+v", c.Landed)
	}
}

func TestArgumentsAreNFC(t *testing.T) {
	t.Parallel()
	in, err := Check(noteArgs{Text: "e\u0301"})
	if err != nil || in.Text != "\u00e9" {
		t.Errorf("got %q, %v", in.Text, err)
	}
}

type emailArgs struct {
	Mail string `json:"first_mail" validate:"required"`
	From
}

// From is embedded: its fields are arguments like any other.
type From struct {
	Source string `json:"source" validate:"max=3"`
}

func TestSentencesNameTheArgument(t *testing.T) {
	t.Parallel()
	_, err := Check(emailArgs{From: From{Source: "long"}})
	no := refusal.Of(err)
	if no == nil || no.Fields["first_mail"] != "First mail is needed." || no.Fields["source"] != "Source is at most 3 characters long." {
		t.Errorf("got %+v", no)
	}
}
