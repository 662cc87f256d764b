package db

import (
	"context"
	"io/fs"
	"time"
)

// MigrateFrom is Migrate with other files.
func (d *DB) MigrateFrom(ctx context.Context, files fs.FS) error { return d.migrate(ctx, files) }

// Impatient shortens how long d waits for a silent network.
func (d *DB) Impatient(limit time.Duration) { d.patience, d.grace = limit, limit }
