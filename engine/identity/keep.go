package identity

import (
	"context"
	"fmt"
	"time"

	"crewlet/db"
)

// endedFor is how long a session or token that ended is kept, so that the
// record's credentials can still be named.
const endedFor = 90 * 24 * time.Hour

const (
	forgetSessions = `DELETE FROM browser_sessions WHERE ended_at < $1 OR created_at < $2`
	forgetTokens   = `DELETE FROM tokens WHERE revoked_at < $1 OR expires_at < $1`
)

// Tidy forgets sessions and tokens that ended long ago. A node does it by
// itself, now and then.
func (i *Identity) Tidy(ctx context.Context) error {
	long := i.now().UTC().Add(-endedFor)
	return i.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.ExecContext(ctx, forgetSessions, long, long.Add(-lastsFor)); err != nil {
			return fmt.Errorf("forget old sessions: %w", err)
		}
		if _, err := tx.ExecContext(ctx, forgetTokens, long); err != nil {
			return fmt.Errorf("forget old tokens: %w", err)
		}
		return nil
	})
}
