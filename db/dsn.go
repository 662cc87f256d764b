package db

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/lib/pq"
)

// readOnlyByDefault makes every statement outside InTx read-only, by the
// server's own rule: outside a transaction a lost reply is answered by
// database/sql running the statement again, so a write there could land twice.
const readOnlyByDefault = "default_transaction_read_only"

// sessionSettings are what every connection asks for unless the address says
// otherwise. A writer that falls silent between two statements is ended by the
// server, and so is one whose machine is gone.
func sessionSettings(app string) [][2]string {
	return [][2]string{
		{"application_name", app},
		{"connect_timeout", "5"},
		{"idle_in_transaction_session_timeout", "5000"},
		{"tcp_keepalives_idle", "15"},
		{"tcp_keepalives_interval", "5"},
		{"tcp_keepalives_count", "3"},
		{"timezone", "UTC"},
	}
}

// address completes what the operator wrote with the session's settings and a
// sensible sslmode. Its errors never quote the address: it may hold a password.
func address(raw, app string) (string, error) {
	if app == "" {
		app = "crewlet"
	}
	dsn, err := withSettings(raw, sessionSettings(app))
	if err != nil {
		return "", err
	}
	cfg, err := pq.NewConfig(dsn)
	if err != nil {
		return "", unreadable(err)
	}
	if cfg.SSLMode == "" && near(cfg.Host) {
		return withSettings(dsn, [][2]string{{"sslmode", "disable"}})
	}
	return dsn, nil
}

// withSettings adds each setting the address does not hold already.
func withSettings(dsn string, settings [][2]string) (string, error) {
	if !strings.HasPrefix(dsn, "postgres://") && !strings.HasPrefix(dsn, "postgresql://") {
		var b strings.Builder // of a key given twice the last counts
		for _, s := range settings {
			fmt.Fprintf(&b, "%s='%s' ", s[0], strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s[1]))
		}
		return b.String() + dsn, nil
	}
	u, err := url.Parse(dsn)
	if err != nil {
		return "", unreadable(err)
	}
	q := u.Query()
	for _, s := range settings {
		if !q.Has(s[0]) {
			q.Set(s[0], s[1])
		}
	}
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// near tells a server on this machine: lib/pq would insist on TLS there, which
// a server nobody else can reach seldom speaks.
func near(host string) bool {
	if host == "" || host == "localhost" || strings.HasPrefix(host, "@") || filepath.IsAbs(host) {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// unreadable hides what a parser quotes: the address itself, password and all.
// What lib/pq says of the environment quotes only a variable's name.
func unreadable(err error) error {
	if strings.HasPrefix(err.Error(), "pq: environment variable") {
		return fmt.Errorf("connect to the database: %w", err)
	}
	return errors.New("the database address cannot be read; it should look like postgres://user:password@host:5432/name, " +
		"with special characters of the password percent-encoded")
}
