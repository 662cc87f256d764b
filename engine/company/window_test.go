package company

import (
	"testing"

	"crewlet/engine/changes"
)

func TestWindowKnowsNoMoreThanItHeard(t *testing.T) {
	held := &Standing{}
	row := func(position int64, kind string) changes.Change {
		return changes.Change{Position: position, Kind: kind}
	}
	for name, c := range map[string]struct {
		known window
		rows  []changes.Change
		to    int64
	}{
		"the next rows":              {window{held, 5, 5}, []changes.Change{row(6, "secret.set"), row(7, "server.failed")}, 7},
		"rows it has seen":           {window{held, 5, 5}, []changes.Change{row(4, "secret.set"), row(5, revisedKind)}, 5},
		"overlapping rows":           {window{held, 5, 5}, []changes.Change{row(5, revisedKind), row(6, "secret.set")}, 6},
		"a stretch is missing":       {window{held, 5, 5}, []changes.Change{row(7, "secret.set")}, 5},
		"a new revision":             {window{held, 5, 5}, []changes.Change{row(6, "secret.set"), row(7, revisedKind), row(8, "secret.set")}, 6},
		"after a new revision":       {window{held, 5, 6}, []changes.Change{row(8, "secret.set")}, 6},
		"nothing was ever looked at": {window{}, []changes.Change{row(1, "secret.set")}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Company{known: c.known}
			s.Hear(c.rows)
			if s.known.to != c.to {
				t.Errorf("it knows as far as %d, want %d", s.known.to, c.to)
			}
		})
	}
}
