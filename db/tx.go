package db

import (
	"context"
	"database/sql"
)

// statements are what a transaction's statements are run by: database/sql's
// transaction, or the connection it was begun on.
type statements interface {
	GetContext(ctx context.Context, dst any, query string, args ...any) error
	SelectContext(ctx context.Context, dst any, query string, args ...any) error
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	each(ctx context.Context, to Rows, query string, args ...any) error
}

var (
	_ statements = inTx{}
	_ statements = (*lease)(nil)
)

// Tx is one transaction, good until the function it was handed to returns.
type Tx struct {
	tx  statements
	pid int
	xid string
}

// GetContext runs one constant statement, prepared by its text, and reads its
// one row into dst; sql.ErrNoRows when there is none.
func (t *Tx) GetContext(ctx context.Context, dst any, query string, args ...any) error {
	return t.tx.GetContext(prepared(ctx), dst, query, args...)
}

// SelectContext runs one constant statement and reads all its rows into the
// slice dst points to, emptied first.
func (t *Tx) SelectContext(ctx context.Context, dst any, query string, args ...any) error {
	return t.tx.SelectContext(prepared(ctx), emptied(dst), query, args...)
}

// ExecContext runs one constant statement that answers no rows.
func (t *Tx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return t.tx.ExecContext(prepared(ctx), query, args...)
}

// SelectBuilt is SelectContext for a statement put together at run time, which
// is not worth keeping.
func (t *Tx) SelectBuilt(ctx context.Context, dst any, query string, args ...any) error {
	return t.tx.SelectContext(ctx, emptied(dst), query, args...)
}

// Stand remembers who this transaction is (pg_backend_pid() and
// pg_current_xact_id() as text), for settling a COMMIT that got no answer.
func (t *Tx) Stand(pid int, xid string) { t.pid, t.xid = pid, xid }
