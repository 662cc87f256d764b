package servers

import (
	"context"
	"time"

	"crewlet/db"
)

// daily is how often the record of calls is rid of what is too old.
const daily = 24 * time.Hour

// keptDays is how long calls are recorded where the company says nothing.
const keptDays = 90

const (
	forgetOld  = `DELETE FROM mcp_calls WHERE at < $1`
	forgetSaid = `DELETE FROM mcp_payloads WHERE at < $1`
)

// forgetCalls drops the record of calls that are older than the company keeps
// it. Each node does; nothing is left to do for the second.
func (s *Servers) forgetCalls(ctx context.Context) time.Duration {
	days := keptDays
	_, doc, _, _, err := s.o.Company.Current(ctx, s.o.DB)
	if err == nil && doc.Audit.RetentionDays > 0 {
		days = doc.Audit.RetentionDays
	}
	if err == nil {
		err = s.o.DB.InTx(ctx, func(tx *db.Tx) error {
			before := s.o.Clock.Now().UTC().AddDate(0, 0, -days)
			for _, forget := range []string{forgetOld, forgetSaid} {
				if _, err := tx.ExecContext(ctx, forget, before); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err != nil {
		if ctx.Err() == nil {
			s.o.Log.WarnContext(ctx, "call_records_not_forgotten", "node", s.o.Node.ID, "error", err)
		}
		return recheck
	}
	return daily
}
