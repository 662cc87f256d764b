package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/lib/pq"
)

// maxPrepared bounds the statements one connection keeps: constant texts are
// far fewer, so reaching it means that built ones were passed as constant.
const maxPrepared = 1000

// driverConn is what lib/pq's connection can do for database/sql.
type driverConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.NamedValueChecker
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// link is one connection: lib/pq's, with the socket below it, so that a silent
// network can be given a deadline, and the statements prepared on it. Keeping
// those here, not in *sql.Stmt, means that preparing inside a transaction
// never asks the pool for a second connection.
type link struct {
	driverConn
	wire  net.Conn
	stmts map[string]driver.Stmt
	spent bool // not to be used again
}

// IsValid keeps a spent link out of the pool.
func (l *link) IsValid() bool { return !l.spent && l.driverConn.IsValid() }

type preparedKey struct{}

// prepared marks the statement run under ctx as constant.
func prepared(ctx context.Context) context.Context {
	return context.WithValue(ctx, preparedKey{}, true)
}

// QueryContext runs a query, on its prepared statement when it is constant.
func (l *link) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := l.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return l.driverConn.QueryContext(ctx, query, args)
	}
	rows, err := s.(driver.StmtQueryContext).QueryContext(ctx, args)
	return rows, l.drop(query, err)
}

// ExecContext is QueryContext for statements without rows.
func (l *link) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s, err := l.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return l.driverConn.ExecContext(ctx, query, args)
	}
	result, err := s.(driver.StmtExecContext).ExecContext(ctx, args)
	return result, l.drop(query, err)
}

func (l *link) statement(ctx context.Context, query string) (driver.Stmt, error) {
	if ctx.Value(preparedKey{}) == nil {
		return nil, nil
	}
	if s := l.stmts[query]; s != nil {
		return s, nil
	}
	if len(l.stmts) >= maxPrepared {
		return nil, nil
	}
	s, err := l.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	l.stmts[query] = s
	return s, nil
}

// drop forgets a statement that the server will not run again: its result
// changed shape by a migration (0A000), or it is gone (26000).
func (l *link) drop(query string, err error) error {
	if e, ok := errors.AsType[*pq.Error](err); ok && (e.Code == "0A000" || e.Code == "26000") {
		delete(l.stmts, query)
	}
	return err
}

// connector opens links.
type connector struct {
	cfg   pq.Config
	until time.Time // when set, no link lives longer
}

// newConnector reads a completed address; each name in on is a boolean setting
// switched on for the session.
func newConnector(dsn string, on ...string) (connector, error) {
	cfg, err := pq.NewConfig(dsn)
	if err != nil {
		return connector{}, unreadable(err)
	}
	cfg = cfg.Clone() // never a shared map of settings
	for _, name := range on {
		cfg.Runtime[name] = "on"
	}
	return connector{cfg: cfg}, nil
}

// Connect opens one link.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	pc, err := pq.NewConnectorConfig(c.cfg)
	if err != nil {
		return nil, unreadable(err)
	}
	d := &dialer{}
	pc.Dialer(d)
	conn, err := pc.Connect(ctx)
	if err != nil {
		return nil, err
	}
	dc, ok := conn.(driverConn)
	if !ok {
		_ = conn.Close()
		return nil, fmt.Errorf("lib/pq's connection %T lacks a method of database/sql", conn)
	}
	if !c.until.IsZero() {
		_ = d.wire.SetDeadline(c.until)
	}
	return &link{driverConn: dc, wire: d.wire, stmts: map[string]driver.Stmt{}}, nil
}

// Driver answers database/sql's question for the driver behind.
func (c connector) Driver() driver.Driver { return &pq.Driver{} }

// dialer dials with keepalives and remembers the connection it made last (one
// is made per dialer, but for cancel requests, which come later on their own).
type dialer struct{ wire net.Conn }

// DialContext dials until ctx ends.
func (d *dialer) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := keepalive().DialContext(ctx, network, addr)
	if err == nil && d.wire == nil {
		d.wire = conn
	}
	return conn, err
}

// Dial dials for as long as it takes; lib/pq asks for it.
func (d *dialer) Dial(network, addr string) (net.Conn, error) {
	return d.DialContext(context.Background(), network, addr)
}

// DialTimeout dials within limit; lib/pq asks for it.
func (d *dialer) DialTimeout(network, addr string, limit time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	return d.DialContext(ctx, network, addr)
}

func keepalive() *net.Dialer {
	return &net.Dialer{KeepAliveConfig: net.KeepAliveConfig{
		Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3,
	}}
}
