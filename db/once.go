package db

import (
	"context"
	"database/sql"
	"errors"
)

// Once is for a read that is one statement: it sees the database at one moment
// by itself, and no transaction has to be opened around it. Another statement
// would see another moment, and is refused.
func (d *DB) Once() *Tx { return &Tx{tx: &once{d: d}} }

var errOnce = errors.New("db: one statement, and no more, runs outside a transaction")

type once struct {
	d    *DB
	used bool
}

func (o *once) run(ctx context.Context, fn func(*lease) error) error {
	if o.used {
		return errOnce
	}
	o.used = true
	return o.d.read(ctx, fn)
}

func (o *once) GetContext(ctx context.Context, dst any, query string, args ...any) error {
	return o.run(ctx, func(l *lease) error { return l.GetContext(ctx, dst, query, args...) })
}

func (o *once) SelectContext(ctx context.Context, dst any, query string, args ...any) error {
	return o.run(ctx, func(l *lease) error { return l.SelectContext(ctx, emptied(dst), query, args...) })
}

func (o *once) ExecContext(context.Context, string, ...any) (sql.Result, error) { return nil, errOnce }
