package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
)

// Snapshot runs fn in a REPEATABLE READ, READ ONLY transaction: all its
// statements see the database at one moment. It may run again as in InTx.
func (d *DB) Snapshot(ctx context.Context, fn func(*Tx) error) error {
	return d.SnapshotFrom(ctx, "", nil, fn)
}

// SnapshotFrom is Snapshot with a first statement, which answers one row into
// dst and takes no arguments: it is sent along with BEGIN and costs no trip to
// the server of its own.
func (d *DB) SnapshotFrom(ctx context.Context, first string, dst any, fn func(*Tx) error) error {
	return d.again(ctx, func() error {
		l, err := d.look(ctx, first, dst)
		if err != nil {
			return err
		}
		looked := false
		defer func() {
			if !looked { // fn failed, or panicked
				l.within(d.grace)
				d.over(l, "ROLLBACK")
			}
		}()
		if err := fn(&Tx{tx: l}); err != nil {
			return err
		}
		if ctx.Err() != nil || !l.unleash() {
			return ctx.Err()
		}
		looked = true
		// Everything is read, so nobody waits for the end of it.
		d.looks.Go(func() {
			l.within(d.patience)
			d.over(l, "COMMIT")
		})
		return nil
	})
}

// look leases a connection and begins a snapshot on it, passing over dead ones
// as read does.
func (d *DB) look(ctx context.Context, first string, dst any) (*lease, error) {
	const begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
	for stale := 0; ; stale++ {
		l, err := d.take(ctx, d.pool)
		if err != nil {
			return nil, err
		}
		if first == "" {
			_, err = l.ExecContext(ctx, begin)
		} else {
			err = l.GetContext(ctx, dst, begin+"; "+first)
		}
		if err == nil {
			return l, nil
		}
		l.on.spent = true // perhaps it began, of which database/sql knows nothing
		l.back()
		if stale >= maxIdle || !errors.Is(err, driver.ErrBadConn) || ctx.Err() != nil {
			return nil, fmt.Errorf("begin: %w", err)
		}
	}
}

// over ends a snapshot and gives its connection back, unless it may still be
// in the transaction: then nobody is to have it.
func (d *DB) over(l *lease, how string) {
	if _, err := l.ExecContext(context.Background(), how); err != nil {
		l.on.spent = true
	}
	l.back()
}
