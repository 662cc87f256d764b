// Package db is the one way to the database: reads on a pool, writes inside
// transactions whose outcome is never guessed, notifications, migrations, and
// an embedded Postgres where no address is given. It knows no word of the
// domain.
package db

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"

	"crewlet/db/embedded"
)

// commitPatience is how long a COMMIT may stay unanswered before its outcome
// is called unsettled: lib/pq heeds no context there.
const commitPatience = 5 * time.Second

// DB is a database: a pool for reads and transactions, and whatever was
// started to have it. Its methods may be called from many goroutines.
type DB struct {
	pool     *sqlx.DB
	dsn      string
	log      *slog.Logger
	server   *embedded.Server // nil when the server is somebody else's
	patience time.Duration

	ending    context.Context // done when Close begins; listeners end with it
	end       context.CancelFunc
	listeners sync.WaitGroup
}

// GetContext reads one row into dst with one constant statement, prepared by
// its text. sql.ErrNoRows when there is none. The statement can only read:
// Postgres refuses anything else outside InTx.
func (d *DB) GetContext(ctx context.Context, dst any, query string, args ...any) error {
	return because(ctx, d.pool.GetContext(prepared(ctx), dst, query, args...))
}

// SelectContext reads all rows into the slice dst points to, otherwise like
// GetContext.
func (d *DB) SelectContext(ctx context.Context, dst any, query string, args ...any) error {
	return because(ctx, d.pool.SelectContext(prepared(ctx), dst, query, args...))
}

// Ping asks the server for a sign of life.
func (d *DB) Ping(ctx context.Context) error {
	return because(ctx, d.pool.PingContext(ctx))
}

// Close ends the listeners, closes every connection with the statements
// prepared on it, and stops the server if this DB started it.
func (d *DB) Close() error {
	d.end()
	d.listeners.Wait()
	err := d.pool.Close()
	if d.server != nil {
		if stopped := d.server.Stop(); stopped != nil {
			return fmt.Errorf("stop the embedded postgres: %w", stopped)
		}
	}
	if err != nil {
		return fmt.Errorf("close the connections: %w", err)
	}
	return nil
}

// because adds the context's own error where only its consequence came back
// ("canceling statement due to user request"), so that callers can ask for it.
func because(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	return fmt.Errorf("%w: %w", ctx.Err(), err)
}
