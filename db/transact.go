package db

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"time"
)

// tries is how often a transaction runs at most.
const tries = 3

// InTx runs fn in a READ COMMITTED transaction and commits it when fn returns
// nil. fn may run up to three times (a serialisation failure, a deadlock, a
// connection lost before COMMIT), so nothing in it may leave the database. A
// COMMIT whose outcome is not definite returns *Unsettled.
func (d *DB) InTx(ctx context.Context, fn func(*Tx) error) error {
	return d.again(ctx, func() error { return d.once(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted}, fn) })
}

// again runs one as often as the rules of InTx allow.
func (d *DB) again(ctx context.Context, one func() error) error {
	for try := 1; ; try++ {
		err := one()
		if err == nil || try == tries || !repeatable(err) {
			return because(ctx, err)
		}
		d.log.Debug("transaction runs again", "try", try, "err", err)
		if waited := pause(ctx, try); waited != nil {
			return because(ctx, err)
		}
	}
}

// pause waits between two tries: 10 to 20 ms, then twice that.
func pause(ctx context.Context, try int) error {
	base := 10 * time.Millisecond << (try - 1)
	t := time.NewTimer(base + rand.N(base))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// once runs fn in one transaction.
func (d *DB) once(ctx context.Context, o *sql.TxOptions, fn func(*Tx) error) error {
	l, tx, err := d.begin(ctx, o)
	if err != nil {
		return err
	}
	defer l.back()
	committing := false
	defer func() {
		if !committing { // fn failed, or panicked
			l.within(d.grace)
			_ = tx.Rollback()
		}
	}()
	t := &Tx{tx: inTx{tx}}
	if err := fn(t); err != nil {
		return err
	}
	if ctx.Err() != nil || !l.unleash() {
		return ctx.Err()
	}
	committing = true
	l.within(d.patience)
	if err := tx.Commit(); err != nil {
		return d.uncommitted(t, err)
	}
	return nil
}

// uncommitted tells a COMMIT that surely failed from one nobody knows about.
func (d *DB) uncommitted(t *Tx, err error) error {
	if definite(err) {
		return fmt.Errorf("commit: %w", err)
	}
	d.log.Warn("a commit got no answer", "pid", t.pid, "xid", t.xid, "err", err)
	return &Unsettled{PID: t.pid, XID: t.xid, Err: err}
}
