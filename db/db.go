// Package db is the one way to the database: reads on a pool, writes inside
// transactions whose outcome is never guessed, notifications, migrations, and
// an embedded Postgres where no address is given. It knows no word of the
// domain.
package db

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"

	"crewlet/db/embedded"
)

const (
	// commitPatience is how long a COMMIT may stay unanswered before its
	// outcome is called unsettled: lib/pq heeds no context there.
	commitPatience = 5 * time.Second
	// cancelGrace is how long the server may take to answer a statement whose
	// context has ended.
	cancelGrace = time.Second
)

// DB is a database: a pool for reads and transactions, and whatever was
// started to have it. Its methods may be called from many goroutines.
type DB struct {
	pool     *sqlx.DB
	alone    *sqlx.DB // for InOne: its sessions may write outside a transaction
	dsn      string
	log      *slog.Logger
	server   *embedded.Server // nil when the server is somebody else's
	patience time.Duration    // commitPatience
	grace    time.Duration    // cancelGrace

	ending    context.Context // done when Close begins; listeners end with it
	end       context.CancelFunc
	listeners sync.WaitGroup
	looks     sync.WaitGroup // snapshots that are read and not over
}

// GetContext reads one row into dst with one constant statement, prepared by
// its text. sql.ErrNoRows when there is none. The statement can only read:
// Postgres refuses anything else outside InTx.
func (d *DB) GetContext(ctx context.Context, dst any, query string, args ...any) error {
	return d.read(ctx, func(l *lease) error { return l.GetContext(prepared(ctx), dst, query, args...) })
}

// SelectContext reads all rows into the slice dst points to, emptied first;
// otherwise like GetContext.
func (d *DB) SelectContext(ctx context.Context, dst any, query string, args ...any) error {
	return d.read(ctx, func(l *lease) error { return l.SelectContext(prepared(ctx), emptied(dst), query, args...) })
}

// Ping asks the server for a sign of life.
func (d *DB) Ping(ctx context.Context) error {
	return d.read(ctx, func(l *lease) error { return l.PingContext(ctx) })
}

// Close ends the listeners, closes every connection with the statements
// prepared on it, and stops the server if this DB started it.
func (d *DB) Close() error {
	d.end()
	d.listeners.Wait()
	d.looks.Wait()
	err := errors.Join(d.pool.Close(), d.alone.Close())
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

// emptied cuts the slice dst points to back to nothing: sqlx appends, so what
// runs again would read its rows twice. A slice that is not nil stays so, and
// one that is empty yet keeps the room it was made with.
func emptied(dst any) any {
	v := reflect.ValueOf(dst)
	if v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Slice && v.Elem().Len() > 0 {
		v.Elem().Set(v.Elem().Slice3(0, 0, 0))
	}
	return dst
}

// because adds the context's own error where only its consequence came back
// ("canceling statement due to user request"), so that callers can ask for it.
func because(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	return fmt.Errorf("%w: %w", ctx.Err(), err)
}
