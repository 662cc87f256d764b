package db

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate brings the schema to the newest version this program knows, one node
// at a time. It refuses a schema newer than that.
func (d *DB) Migrate(ctx context.Context) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	return d.migrate(ctx, files)
}

func (d *DB) migrate(ctx context.Context, files fs.FS) (err error) {
	c, err := newConnector(d.dsn) // of its own: migrations also write outside transactions
	if err != nil {
		return err
	}
	pool := sql.OpenDB(c)
	defer func() { err = errors.Join(err, pool.Close()) }()
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	p, err := goose.NewProvider(goose.DialectPostgres, pool, files, goose.WithSessionLocker(locker), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if err := refuseNewer(ctx, p); err != nil {
		return err
	}
	done, err := p.Up(ctx)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	for _, m := range done {
		d.log.Info("migrated", "version", m.Source.Version, "took", m.Duration)
	}
	return refuseNewer(ctx, p) // another node may have gone further while this one waited
}

func refuseNewer(ctx context.Context, p *goose.Provider) error {
	current, newest, err := p.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read the schema's version: %w", err)
	}
	if current > newest {
		return fmt.Errorf("the database's schema is version %d, newer than the %d this program knows; run a newer crewlet", current, newest)
	}
	return nil
}
