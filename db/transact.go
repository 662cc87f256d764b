package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jmoiron/sqlx"
)

const (
	tries = 3
	grace = time.Second // for the server to answer a cancelled statement
)

// InTx runs fn in a READ COMMITTED transaction and commits it when fn returns
// nil. fn may run up to three times (a serialisation failure, a deadlock, a
// connection lost before COMMIT), so nothing in it may leave the database. A
// COMMIT whose outcome is not definite returns *Unsettled.
func (d *DB) InTx(ctx context.Context, fn func(*Tx) error) error {
	return d.again(ctx, func() error { return d.once(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted}, fn) })
}

// Snapshot runs fn in a REPEATABLE READ, READ ONLY transaction: all its
// statements see the database at one moment. It may run again as in InTx.
func (d *DB) Snapshot(ctx context.Context, fn func(*Tx) error) error {
	return d.again(ctx, func() error {
		err := d.once(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}, fn)
		if _, unsettled := errors.AsType[*Unsettled](err); unsettled {
			return nil // everything was read; there was nothing to commit
		}
		return err
	})
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

// once runs fn in one transaction. The transaction itself is bound to no
// context: when ctx ends, the statement under way is cancelled, and a COMMIT
// under way is waited for.
func (d *DB) once(ctx context.Context, o *sql.TxOptions, fn func(*Tx) error) error {
	conn, on, tx, err := d.begin(ctx, o)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	leash := context.AfterFunc(ctx, func() { _ = on.wire.SetDeadline(time.Now().Add(grace)) })
	committing := false
	defer func() {
		if !committing { // fn failed, or panicked
			d.rollback(on, tx, leash)
		}
		_ = on.wire.SetDeadline(time.Time{})
	}()
	t := &Tx{tx: tx}
	if err := fn(t); err != nil {
		return err
	}
	if ctx.Err() != nil || !leash() {
		return ctx.Err()
	}
	committing = true
	_ = on.wire.SetDeadline(time.Now().Add(d.patience))
	if err := tx.Commit(); err != nil {
		return d.uncommitted(t, err)
	}
	return nil
}

// rollback ends a transaction that is not to land, in good time even when the
// network is silent. A link whose leash was pulled is not used again: the
// deadline may be set after this returns.
func (d *DB) rollback(on *link, tx *sqlx.Tx, leash func() bool) {
	if !leash() {
		on.spent = true
	}
	_ = on.wire.SetDeadline(time.Now().Add(grace))
	_ = tx.Rollback()
}

// uncommitted tells a COMMIT that surely failed from one nobody knows about.
func (d *DB) uncommitted(t *Tx, err error) error {
	if definite(err) {
		return fmt.Errorf("commit: %w", err)
	}
	d.log.Warn("a commit got no answer", "pid", t.pid, "xid", t.xid, "err", err)
	return &Unsettled{PID: t.pid, XID: t.xid, Err: err}
}

// begin takes a connection and begins. Connections that died while idle are
// passed over: after a restart of the server that may be every one kept.
func (d *DB) begin(ctx context.Context, o *sql.TxOptions) (*sqlx.Conn, *link, *sqlx.Tx, error) {
	for stale := 0; ; stale++ {
		conn, err := d.pool.Connx(ctx)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("connect: %w", err)
		}
		on, tx, err := d.beginOn(ctx, conn, o)
		if err == nil {
			return conn, on, tx, nil
		}
		_ = conn.Close()
		if stale >= maxIdle || !errors.Is(err, driver.ErrBadConn) || ctx.Err() != nil {
			return nil, nil, nil, fmt.Errorf("begin: %w", err)
		}
	}
}

func (d *DB) beginOn(ctx context.Context, conn *sqlx.Conn, o *sql.TxOptions) (*link, *sqlx.Tx, error) {
	var on *link
	err := conn.Raw(func(dc any) error {
		on = dc.(*link)
		return on.wire.SetDeadline(time.Now().Add(d.patience))
	})
	if err != nil {
		return nil, nil, err
	}
	tx, err := conn.BeginTxx(context.WithoutCancel(ctx), o)
	if err != nil {
		return nil, nil, err
	}
	return on, tx, on.wire.SetDeadline(time.Time{})
}
