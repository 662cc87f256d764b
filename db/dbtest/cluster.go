package dbtest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lib/pq"

	"crewlet/db"
	"crewlet/db/embedded"
)

// startLimit covers initdb on a busy machine.
const startLimit = 2 * time.Minute

// cluster is a server and the template in it.
type cluster struct {
	admin    *sql.DB
	base     string           // the address of its administrative database
	server   *embedded.Server // nil when external
	dir      string           // of server
	prefix   string           // of every name made here, random
	template string
	made     atomic.Int64
}

func newCluster(ctx context.Context, address string) (*cluster, error) {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	c := &cluster{base: address, prefix: "crewlet_" + strings.ToLower(rand.Text()[:12])}
	if address == "" {
		if err := c.startOwn(ctx); err != nil {
			return nil, err
		}
	}
	if err := c.fill(ctx); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// fill makes the migrated template.
func (c *cluster) fill(ctx context.Context) (err error) {
	if !strings.HasPrefix(c.base, "postgres://") && !strings.HasPrefix(c.base, "postgresql://") {
		return errors.New(external + " should be a URL such as postgres://postgres@127.0.0.1:5432/postgres?sslmode=disable")
	}
	if c.admin, err = sql.Open("postgres", c.base); err != nil {
		return errors.New(external + " cannot be read as an address")
	}
	c.admin.SetMaxOpenConns(4)
	template, err := c.createFrom(ctx, "template0")
	if err != nil {
		return err
	}
	d, err := db.Open(ctx, db.Options{URL: c.url(template), App: "dbtest"})
	if err != nil {
		return err
	}
	if err := errors.Join(d.Migrate(ctx), d.Close()); err != nil {
		return errors.Join(err, c.drop(ctx, template))
	}
	c.template = template
	return nil
}

// url is the address of a database of the cluster.
func (c *cluster) url(name string) string {
	u, err := url.Parse(c.base)
	if err != nil {
		return c.base // sql.Open has parsed it before
	}
	u.Path = "/" + name
	return u.String()
}

func (c *cluster) create(ctx context.Context) (string, error) {
	return c.createFrom(ctx, c.template)
}

// createFrom copies a database. Copying files is the faster way here, but on a
// server with fsync it waits for two checkpoints.
func (c *cluster) createFrom(ctx context.Context, template string) (string, error) {
	name := fmt.Sprintf("%s_%d", c.prefix, c.made.Add(1))
	strategy := ""
	if c.server != nil {
		strategy = " STRATEGY file_copy"
	}
	query := "CREATE DATABASE " + pq.QuoteIdentifier(name) + " TEMPLATE " + pq.QuoteIdentifier(template) + strategy
	if template == "template0" {
		query += " ENCODING 'UTF8'"
	}
	if _, err := c.admin.ExecContext(ctx, query); err != nil {
		return "", fmt.Errorf("create database: %w", err)
	}
	return name, nil
}

// drop removes a database. In a server of our own that would only cost time
// while there is room: all of it goes at the end.
func (c *cluster) drop(ctx context.Context, name string) error {
	if c.server != nil && roomy(c.dir) {
		return nil
	}
	if _, err := c.admin.ExecContext(ctx, "DROP DATABASE "+pq.QuoteIdentifier(name)+" WITH (FORCE)"); err != nil {
		return fmt.Errorf("drop database: %w", err)
	}
	return nil
}

func (c *cluster) close() error {
	var errs []error
	if c.server == nil && c.template != "" {
		errs = append(errs, c.drop(context.Background(), c.template))
	}
	if c.admin != nil {
		errs = append(errs, c.admin.Close())
	}
	if c.server != nil {
		errs = append(errs, c.server.Stop(), os.RemoveAll(c.dir))
	}
	return errors.Join(errs...)
}
