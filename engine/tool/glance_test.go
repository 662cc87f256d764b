package tool

import (
	"context"
	"testing"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/refusal"
)

type lookArgs struct {
	Statements int  `json:"statements"`
	Silent     bool `json:"silent,omitempty"`
}

type looked struct {
	Position int64 `json:"position"`
	As       string
}

// look reads the position of the log so many times, and tells where it stood.
func look(runs *int) Use[lookArgs, looked] {
	spec := Spec{Name: "look_around", Brief: "Look.", Access: access.Read(access.StateRead), Mode: Read}
	return Declare(spec, func(ctx context.Context, c *Call, in lookArgs) (looked, error) {
		*runs++
		var out looked
		for range in.Statements {
			if err := c.Tx.GetContext(ctx, &out.Position, changes.Position); err != nil {
				return out, err
			}
		}
		if !in.Silent {
			c.Stands(out.Position)
		}
		if out.Position != c.Landed.Position {
			out.As = "torn"
		}
		return out, nil
	}).Glance(func(in lookArgs) bool { return in.Statements < 3 })
}

func TestAGlanceStandsWhereItSays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in    lookArgs
		heard int64
		min   int64
		runs  int
	}{
		"one statement":                  {in: lookArgs{Statements: 1}, heard: 2, runs: 1},
		"what it waits for is heard":     {in: lookArgs{Statements: 1}, heard: 2, min: 2, runs: 1},
		"the log went on":                {in: lookArgs{Statements: 1}, heard: 1, runs: 2},
		"what it waits for is not heard": {in: lookArgs{Statements: 1}, heard: 1, min: 2, runs: 1},
		"two statements":                 {in: lookArgs{Statements: 2}, heard: 2, runs: 2},
		"it does not say":                {in: lookArgs{Statements: 1, Silent: true}, heard: 2, runs: 2},
		"no glance":                      {in: lookArgs{Statements: 3}, heard: 2, runs: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, runs := runner(t), 0
			if _, err := Do(t.Context(), r, writeNote(new(int)), call(NewKey()), noteArgs{Text: "a", Also: 2}); err != nil {
				t.Fatal(err)
			}
			r.Heard = func() int64 { return c.heard }
			asked := call("")
			asked.MinAsOf = c.min
			out, err := Do(t.Context(), r, look(&runs), asked, c.in)
			if err != nil || out != (looked{Position: 2}) || asked.Landed != (Receipt{Outcome: "read", Position: 2}) {
				t.Errorf("got %+v, %v, %+v", out, err, asked.Landed)
			}
			if runs != c.runs {
				t.Errorf("it ran %d times, want %d", runs, c.runs)
			}
		})
	}
}

func TestAReadAsksWhoIsLooking(t *testing.T) {
	t.Parallel()
	r := runner(t)
	for name, c := range map[string]struct {
		still func(context.Context, *Call) (access.Principal, error)
		class refusal.Class
	}{
		"still the same": {func(_ context.Context, c *Call) (access.Principal, error) { return c.By, nil }, ""},
		"with less": {func(context.Context, *Call) (access.Principal, error) {
			return access.Principal{Kind: access.Person, ID: "ana"}, nil
		}, refusal.Forbidden},
		"signed out": {func(context.Context, *Call) (access.Principal, error) {
			return access.Principal{}, refusal.Unauthenticated.Say("Gone.")
		}, refusal.Unauthenticated},
		"under a ceiling": {func(context.Context, *Call) (access.Principal, error) { return by("ana"), nil }, ""},
	} {
		for _, statements := range []int{1, 3} { // by a glance, and by a snapshot
			t.Run(name, func(t *testing.T) {
				r.Heard = func() int64 { return 0 }
				asked := call("")
				asked.Still = c.still
				_, err := Do(t.Context(), r, look(new(int)), asked, lookArgs{Statements: statements})
				if c.class == "" && err != nil || c.class != "" && !refusal.Is(err, c.class) {
					t.Errorf("got %v, want %q", err, c.class)
				}
			})
		}
	}
}
