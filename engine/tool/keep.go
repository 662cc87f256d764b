package tool

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"crewlet/db"
	"crewlet/engine/refusal"
)

// How long what a key did is kept, and a result that can be had again; and
// after how long a call that was never ended is taken for lost with its node.
const (
	keptFor  = 90 * 24 * time.Hour
	lostFrom = 2 * time.Hour // twice the longest a call may take
)

// aged refuses a key older than what is kept: whether it landed cannot be
// told any more, so nothing is written under it.
func aged(id uuid.UUID, now time.Time) error {
	seconds, nanos := id.Time().UnixTime()
	made := time.Unix(seconds, nanos)
	if now.Sub(made) > keptFor {
		return refusal.UnknownOutcome.Say("This key is more than 90 days old, and what it did is not kept that long. Look whether it landed; if it did not, send it with a new key.").
			With("outcome", "unknown").With("op_id", id.String())
	}
	return nil
}

const (
	forgetOperations = `DELETE FROM operations WHERE started_at < $1`
	forgetResults    = `UPDATE operations SET sealed = NULL WHERE sealed IS NOT NULL AND started_at < $1`
	closeLost        = `UPDATE operations SET finished_at = $2, outcome = 'abandoned' WHERE finished_at IS NULL AND started_at < $1`
)

// Tidy forgets what is kept no longer, and closes calls whose node went away
// and did not come back. A node does it by itself, now and then.
func (r *Runner) Tidy(ctx context.Context) error {
	now := r.Now().UTC()
	return r.DB.InTx(ctx, func(tx *db.Tx) error {
		for _, step := range []struct {
			statement string
			args      []any
		}{
			{forgetOperations, []any{now.Add(-keptFor)}},
			{forgetResults, []any{now.Add(-kept)}},
			{closeLost, []any{now.Add(-lostFrom), now}},
		} {
			if _, err := tx.ExecContext(ctx, step.statement, step.args...); err != nil {
				return fmt.Errorf("tidy operations: %w", err)
			}
		}
		return nil
	})
}
