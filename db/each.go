package db

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// Rows takes the rows of a statement one by one, for a list that is read often:
// finding the field of each column by its name takes longer than the rest.
type Rows interface {
	Begin() // from the first row on, which may be once more
	Row(scan func(dst ...any) error) error
}

// EachContext runs one statement and hands over its rows. keep prepares it by
// its text, which has to be constant then.
func (t *Tx) EachContext(ctx context.Context, to Rows, keep bool, query string, args ...any) error {
	if keep {
		ctx = prepared(ctx)
	}
	return t.tx.each(ctx, to, query, args...)
}

// each reads on whatever a statement is run by.
func each(ctx context.Context, on sqlx.QueryerContext, to Rows, query string, args ...any) (err error) {
	to.Begin()
	rows, err := on.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := to.Row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (l *lease) each(ctx context.Context, to Rows, query string, args ...any) error {
	return each(ctx, l, to, query, args...)
}

func (o *once) each(ctx context.Context, to Rows, query string, args ...any) error {
	return o.run(ctx, func(l *lease) error { return l.each(ctx, to, query, args...) })
}

// inTx is database/sql's own transaction.
type inTx struct{ *sqlx.Tx }

func (t inTx) each(ctx context.Context, to Rows, query string, args ...any) error {
	return each(ctx, t, to, query, args...)
}
