package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
)

// lease is a connection of the pool while somebody works on it.
type lease struct {
	*sqlx.Conn
	on    *link
	grace time.Duration
	pull  func() bool // stops the leash; false when it was pulled already
}

// take leases a connection on a leash: when ctx ends, lib/pq asks the server to
// cancel the statement, and if no answer comes in good time, not even that of
// a silent network, the socket is given up.
func (d *DB) take(ctx context.Context, pool *sqlx.DB) (*lease, error) {
	conn, err := pool.Connx(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	l := &lease{Conn: conn, grace: d.grace}
	if err := conn.Raw(func(c any) error { l.on = c.(*link); return nil }); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	l.pull = context.AfterFunc(ctx, func() { l.within(d.grace) })
	return l, nil
}

// within gives everything on the wire so long from now; 0 gives all time.
func (l *lease) within(limit time.Duration) {
	var at time.Time
	if limit > 0 {
		at = time.Now().Add(limit)
	}
	_ = l.on.wire.SetDeadline(at) // fails only on a closed socket
}

// unleash parts the connection from its context; false when that has ended.
func (l *lease) unleash() bool {
	if !l.pull() {
		l.on.spent = true // the deadline may still be set later, under somebody else's hands
		return false
	}
	l.pull = func() bool { return true }
	return true
}

// back returns the connection to the pool.
func (l *lease) back() {
	if l.unleash() {
		l.within(0)
	}
	_ = l.Close()
}

// read runs fn, one reading statement, on a leased connection. One that died
// while idle is passed over: after a restart of the server that may be every
// one kept.
func (d *DB) read(ctx context.Context, fn func(*lease) error) error {
	for stale := 0; ; stale++ {
		l, err := d.take(ctx, d.pool)
		if err != nil {
			return because(ctx, err)
		}
		err = fn(l)
		l.back()
		if stale >= maxIdle || !errors.Is(err, driver.ErrBadConn) {
			return because(ctx, err)
		}
	}
}

// begin leases a connection and begins a transaction, passing over dead ones
// as read does. The transaction is not bound to ctx, so that a COMMIT under
// way is not cut off by it.
func (d *DB) begin(ctx context.Context, o *sql.TxOptions) (*lease, *sqlx.Tx, error) {
	for stale := 0; ; stale++ {
		l, err := d.take(ctx, d.pool)
		if err != nil {
			return nil, nil, err
		}
		l.within(d.patience)
		tx, err := l.BeginTxx(context.WithoutCancel(ctx), o)
		if err == nil {
			l.within(0)
			if ctx.Err() != nil {
				l.within(d.grace) // as the leash said, perhaps just before
			}
			return l, tx, nil
		}
		l.back()
		if stale >= maxIdle || !errors.Is(err, driver.ErrBadConn) || ctx.Err() != nil {
			return nil, nil, fmt.Errorf("begin: %w", err)
		}
	}
}
