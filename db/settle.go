package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
)

const (
	settleLimit = 5 * time.Second
	settleBeat  = 5 * time.Millisecond
)

// Settle finds out about a COMMIT that got no answer. On a connection of its
// own, within 5 s, it ends the transaction's backend if that still works on
// it, waits until the transaction is over, and runs probe in a transaction
// that is always rolled back: probe inserts its operation key and reads what
// it conflicts with, if anything. When nothing conflicts, the first
// transaction can never land. An error that is not probe's means that the
// database could not be asked.
func (d *DB) Settle(ctx context.Context, u *Unsettled, probe func(*Tx) error) error {
	if u.PID == 0 || u.XID == "" {
		return errors.New("settle: the transaction never said who it was (Tx.Stand)")
	}
	ctx, cancel := context.WithTimeout(ctx, settleLimit)
	defer cancel()
	c, err := newConnector(d.dsn)
	if err != nil {
		return err
	}
	c.until, _ = ctx.Deadline()
	fresh := sqlx.NewDb(sql.OpenDB(c), "postgres")
	fresh.SetMaxOpenConns(1)
	defer func() { _ = fresh.Close() }()
	if err := finish(ctx, fresh, u); err != nil {
		return because(ctx, fmt.Errorf("settle: %w", err))
	}
	tx, err := fresh.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return because(ctx, fmt.Errorf("settle: begin: %w", err))
	}
	defer func() { _ = tx.Rollback() }()
	return because(ctx, probe(&Tx{tx: inTx{tx}}))
}

// finish ends the backend that still holds the transaction and waits until the
// transaction is no longer in progress. Pid and xid are compared together: a
// pid alone may belong to somebody else by now.
func finish(ctx context.Context, fresh *sqlx.DB, u *Unsettled) error {
	const end = `
		SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
		WHERE pid = $1 AND backend_xid = $2::xid8::xid`
	var ended int
	if err := fresh.GetContext(ctx, &ended, end, u.PID, u.XID); err != nil {
		return err
	}
	beat := time.NewTicker(settleBeat)
	defer beat.Stop()
	for {
		going, err := inProgress(ctx, fresh, u.XID)
		if err != nil || !going {
			return err
		}
		select {
		case <-beat.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func inProgress(ctx context.Context, fresh *sqlx.DB, xid string) (bool, error) {
	const ask = `SELECT coalesce(pg_xact_status($1::xid8), 'long ago') = 'in progress'`
	var going bool
	err := fresh.GetContext(ctx, &going, ask, xid)
	if e, ok := errors.AsType[*pq.Error](err); ok && e.Code == "22023" {
		return false, nil // an id "in the future": the server crashed before it wrote this one down
	}
	return going, err
}
