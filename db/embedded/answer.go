package embedded

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/lib/pq"
)

// answerLimit bounds one question to a server that may be hanging.
const answerLimit = 5 * time.Second

// answers asks the server behind sock for its database.
func answers(ctx context.Context, sock string) error {
	return ask(ctx, address(sock, databaseName), func(ctx context.Context, d *sql.DB) error { return d.PingContext(ctx) })
}

// prepare asks the server for a sign of life and makes the database, which
// initdb does not.
func (s *Server) prepare(ctx context.Context) error {
	return ask(ctx, s.url("postgres"), func(ctx context.Context, d *sql.DB) error {
		const exists = `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`
		var there bool
		if err := d.QueryRowContext(ctx, exists, databaseName).Scan(&there); err != nil || there {
			return err
		}
		if _, err := d.ExecContext(ctx, "CREATE DATABASE "+pq.QuoteIdentifier(databaseName)); err != nil {
			return fmt.Errorf("make the database: %w", err)
		}
		return nil
	})
}

func ask(ctx context.Context, url string, question func(context.Context, *sql.DB) error) error {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	d, err := sql.Open("postgres", url)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }()
	return question(ctx, d)
}

// starting tells whether err may pass while a server starts.
func starting(err error) bool {
	if e, ok := errors.AsType[*pq.Error](err); ok {
		return e.Code.Class() == "57" || e.Code.Class() == "53"
	}
	_, network := errors.AsType[*net.OpError](err)
	return network || errors.Is(err, driver.ErrBadConn) || errors.Is(err, context.DeadlineExceeded)
}
