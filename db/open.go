package db

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"crewlet/db/embedded"
)

const (
	oldestServer = 150000 // server_version_num of PostgreSQL 15
	maxOpen      = 24     // connections in the pool; Postgres allows 100 by default
	maxIdle      = 12
	idleLife     = 5 * time.Minute

	maxAlone     = 8 // connections for statements that stand alone: each has one for less than a millisecond
	maxAloneIdle = 4
)

// Options says which database Open opens.
type Options struct {
	URL   string       // an external Postgres, as URL or key=value; empty: embedded under Dir
	Dir   string       // the embedded server's folder, such as .crewlet/postgres
	Bin   string       // the folder of the server's programs (CREWLET_PG_BIN); may be empty
	Serve bool         // own the embedded server or be refused; otherwise attach when something serves
	App   string       // application_name, as pg_stat_activity shows it
	Log   *slog.Logger // nil logs nothing
	// Patience is how long a COMMIT may stay unanswered before it is asked about
	// elsewhere; zero is 5 s.
	Patience time.Duration
}

// Open connects to the database o names, starting the embedded one when o.URL
// is empty. It refuses a server older than PostgreSQL 15 and a database that
// is not UTF-8. No error it returns holds the address or its password.
func Open(ctx context.Context, o Options) (*DB, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.URL != "" {
		return open(ctx, o, nil)
	}
	server, err := embedded.Start(ctx, embedded.Options{Dir: o.Dir, Bin: o.Bin, Serve: o.Serve, Log: o.Log})
	if err != nil {
		return nil, err
	}
	o.URL = server.URL()
	d, err := open(ctx, o, server)
	if err != nil {
		return nil, errors.Join(err, server.Stop())
	}
	return d, nil
}

func open(ctx context.Context, o Options, server *embedded.Server) (*DB, error) {
	dsn, err := address(o.URL, o.App)
	if err != nil {
		return nil, err
	}
	c, err := newConnector(dsn, readOnlyByDefault)
	if err != nil {
		return nil, err
	}
	writing, err := newConnector(dsn)
	if err != nil {
		return nil, err
	}
	pool, alone := newPool(c, maxOpen, maxIdle), newPool(writing, maxAlone, maxAloneIdle)
	d := &DB{pool: pool, alone: alone, dsn: dsn, log: o.Log, server: server, patience: cmp.Or(o.Patience, commitPatience), grace: cancelGrace}
	d.ending, d.end = context.WithCancel(context.Background())
	if err := d.fit(ctx); err != nil {
		d.end()
		return nil, errors.Join(err, pool.Close(), alone.Close())
	}
	return d, nil
}

// newPool connects to nothing yet.
func newPool(c connector, open, idle int) *sqlx.DB {
	pool := sqlx.NewDb(sql.OpenDB(c), "postgres")
	pool.SetMaxOpenConns(open)
	pool.SetMaxIdleConns(idle)
	pool.SetConnMaxIdleTime(idleLife)
	return pool
}

// fit refuses a server we cannot work with.
func (d *DB) fit(ctx context.Context) error {
	const ask = `
		SELECT current_setting('server_version_num')::int AS number,
			current_setting('server_version') AS version,
			current_setting('server_encoding') AS encoding`
	var server struct {
		Number            int
		Version, Encoding string
	}
	if err := d.GetContext(ctx, &server, ask); err != nil {
		return fmt.Errorf("the database does not answer: %w", err)
	}
	if server.Number < oldestServer {
		return fmt.Errorf("the database is PostgreSQL %s; version 15 or newer is needed", server.Version)
	}
	if server.Encoding != "UTF8" {
		return fmt.Errorf("the database's encoding is %s; create it with ENCODING 'UTF8'", server.Encoding)
	}
	return nil
}
