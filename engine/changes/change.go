// Package changes is the one log of the company: every change is a row with a
// position, dense and in commit order. Whoever has read up to a position has
// missed nothing before it. Each node reads the log once and hands the rows to
// whoever asked.
package changes

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"crewlet/db"
)

// Delta is what one field was and is. Values are for people to read; a secret
// value is never among them.
type Delta struct {
	From any `json:"from,omitempty"`
	To   any `json:"to,omitempty"`
}

// Change is one row of the log.
type Change struct {
	Position   int64           `db:"position" json:"position"`
	At         time.Time       `db:"at" json:"at"` // UTC
	Actor      string          `db:"actor" json:"actor"`
	ActorName  string          `db:"actor_name" json:"actor_name"`
	RecordedAs string          `db:"recorded_as" json:"recorded_as"`
	Credential string          `db:"credential" json:"-"`
	Kind       string          `db:"kind" json:"kind"`
	Object     string          `db:"object" json:"object"`
	Deltas     json.RawMessage `db:"deltas" json:"deltas" said:"actor_name"`
}

const columns = `position, at, actor, actor_name, recorded_as, credential, kind, object, deltas`

const after = `SELECT ` + columns + ` FROM changes WHERE position > $1 ORDER BY position LIMIT $2`

// After reads at most limit rows later than a position, in order.
func After(ctx context.Context, d *db.DB, position int64, limit int) ([]Change, error) {
	var rows []Change
	if err := d.SelectContext(ctx, &rows, after, position, limit); err != nil {
		return nil, fmt.Errorf("read the log after %d: %w", position, err)
	}
	return rows, nil
}

// Position reads the newest position; in a snapshot, the one it stands at.
const Position = `SELECT position FROM log_head`

// Head is the newest position, outside any transaction.
func Head(ctx context.Context, d *db.DB) (int64, error) {
	var position int64
	if err := d.GetContext(ctx, &position, Position); err != nil {
		return 0, fmt.Errorf("read the head of the log: %w", err)
	}
	return position, nil
}
