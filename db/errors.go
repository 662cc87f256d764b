package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"

	"github.com/lib/pq"
)

// Unsettled is a COMMIT whose outcome is not known: it may have landed. Settle
// finds out.
type Unsettled struct {
	PID int    // the transaction's backend, as Tx.Stand was told
	XID string // and its id
	Err error
}

// Error says so in words.
func (u *Unsettled) Error() string {
	return "the commit got no answer, so it may or may not have landed: " + u.Err.Error()
}

// Unwrap is the connection's error.
func (u *Unsettled) Unwrap() error { return u.Err }

// Violates tells whether err is the refusal of that named constraint: unique,
// check, foreign key or exclusion.
func Violates(err error, constraint string) bool {
	e, ok := errors.AsType[*pq.Error](err)
	return ok && e.Code.Class() == "23" && e.Constraint == constraint
}

// Unavailable tells whether waiting clears err: the server is not reached, is
// full, starts, stops, or cut the connection.
func Unavailable(err error) bool {
	if e, ok := errors.AsType[*pq.Error](err); ok {
		switch e.Code {
		case "53300", "57P01", "57P02", "57P03", "57P05", "25P03":
			return true
		}
		return e.Code.Class() == "08"
	}
	return lost(err)
}

// lost tells whether the connection failed, not the statement.
func lost(err error) bool {
	for _, e := range []error{driver.ErrBadConn, sql.ErrConnDone, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed} {
		if errors.Is(err, e) {
			return true
		}
	}
	_, network := errors.AsType[net.Error](err)
	return network && !errors.Is(err, context.DeadlineExceeded)
}

// repeatable tells whether a transaction that failed with err did not commit
// and may well pass the next time.
func repeatable(err error) bool {
	if _, ok := errors.AsType[*Unsettled](err); ok {
		return false
	}
	if e, ok := errors.AsType[*pq.Error](err); ok && (e.Code == "40001" || e.Code == "40P01") {
		return true
	}
	return Unavailable(err)
}

// definite tells whether COMMIT's err means that nothing was committed. Of
// everything else the opposite has been seen.
func definite(err error) bool {
	_, refused := errors.AsType[*pq.Error](err)
	return refused || errors.Is(err, sql.ErrTxDone) || errors.Is(err, pq.ErrInFailedTransaction)
}
