package tracker

import (
	"context"
	"fmt"
	"time"

	"crewlet/db"
)

// cutAtOnce is how many entries one statement takes away, so that none holds
// locks for long.
const cutAtOnce = 5000

const cutInboxes = `DELETE FROM notices WHERE id IN (SELECT id FROM notices WHERE at < $1 ORDER BY at LIMIT $2)`

// Tidy takes entries from inboxes that are older than so many days.
func (t *Tracker) Tidy(ctx context.Context, d *db.DB, now time.Time, days int) error {
	before := now.UTC().AddDate(0, 0, -days)
	for {
		var cut int64
		err := d.InTx(ctx, func(tx *db.Tx) error {
			done, err := tx.ExecContext(ctx, cutInboxes, before, cutAtOnce)
			if err != nil {
				return fmt.Errorf("cut old entries of inboxes: %w", err)
			}
			cut, err = done.RowsAffected()
			return err
		})
		if err != nil || cut < cutAtOnce {
			return err
		}
	}
}
