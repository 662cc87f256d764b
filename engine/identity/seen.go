package identity

import (
	"context"
	"time"

	"crewlet/db"
)

// seenEvery is the most often a credential's last use is written.
const seenEvery = time.Minute

// seenQueue bounds what waits to be written; what does not fit is left out,
// and the next request of that credential brings it again.
const seenQueue = 256

// seen is a credential that was just used.
type seen struct {
	statement, id string
	at            time.Time
}

// Each statement looks again: many requests may have noticed the same minute.
const (
	sessionSeen = `UPDATE browser_sessions SET seen_at = $2 WHERE id = $1 AND seen_at <= $3`
	tokenUsed   = `UPDATE tokens SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)`
)

// saw has a use written behind the request when the last one written is over
// a minute old. This is no operation: nobody did anything.
func (i *Identity) saw(s seen, last, now time.Time) {
	if now.Sub(last) < seenEvery {
		return
	}
	s.at = now
	select {
	case i.seen <- s:
	default:
	}
}

func (i *Identity) writeSeen(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case s := <-i.seen:
			err := i.db.InTx(ctx, func(tx *db.Tx) error {
				_, err := tx.ExecContext(ctx, s.statement, s.id, s.at, s.at.Add(-seenEvery))
				return err
			})
			if err != nil && ctx.Err() == nil {
				i.log.WarnContext(ctx, "last_use_not_written", "error", err)
			}
		}
	}
}
