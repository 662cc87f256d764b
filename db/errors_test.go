package db_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"testing"

	"github.com/lib/pq"

	"crewlet/db"
	"crewlet/db/dbtest"
)

func TestViolates(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	run(t, d, `CREATE TABLE kinds (kind text CONSTRAINT kinds_key PRIMARY KEY)`, `INSERT INTO kinds VALUES ('a')`,
		`CREATE TABLE things (kind text CONSTRAINT things_kind REFERENCES kinds, n int CONSTRAINT things_few CHECK (n < 3),
			span int4range, CONSTRAINT things_span EXCLUDE USING gist (span WITH &&))`,
		`INSERT INTO things VALUES ('a', 1, '[1,5)')`)
	for name, c := range map[string]struct{ statement, constraint string }{
		"unique":      {`INSERT INTO kinds VALUES ('a')`, "kinds_key"},
		"foreign key": {`INSERT INTO things VALUES ('z', 1, 'empty')`, "things_kind"},
		"check":       {`INSERT INTO things VALUES ('a', 7, 'empty')`, "things_few"},
		"exclusion":   {`INSERT INTO things VALUES ('a', 1, '[2,3)')`, "things_span"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				_, err := tx.ExecContext(t.Context(), c.statement)
				return fmt.Errorf("wrapped: %w", err)
			})
			if !db.Violates(err, c.constraint) || db.Violates(err, "another") || db.Unavailable(err) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestUnavailable(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"refused":              {&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, true},
		"lost":                 {driver.ErrBadConn, true},
		"lost before COMMIT":   {&db.Unsettled{Err: driver.ErrBadConn}, true},
		"full":                 {&pq.Error{Code: "53300"}, true},
		"ended by an operator": {&pq.Error{Code: "57P01"}, true},
		"starting":             {&pq.Error{Code: "57P03"}, true},
		"connection exception": {&pq.Error{Code: "08006"}, true},
		"a constraint":         {&pq.Error{Code: "23505"}, false},
		"cancelled":            {&pq.Error{Code: "57014"}, false},
		"a full disk":          {&pq.Error{Code: "53100"}, false},
		"out of time":          {context.DeadlineExceeded, false},
		"no row":               {sql.ErrNoRows, false},
		"none":                 {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := db.Unavailable(fmt.Errorf("wrapped: %w", c.err)); got != c.want {
				t.Errorf("%t for %v", got, c.err)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	const password = "hunter2"
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	must(t, gone.Close())
	for name, c := range map[string]struct {
		url, says   string
		unavailable bool
	}{
		"a bad port":      {"postgres://crew:" + password + "@host:port/x", "cannot be read", false},
		"a bad password":  {"postgres://crew:" + password + "#@host/x", "cannot be read", false},
		"something else":  {"postgres:/crew:" + password, "cannot be read", false},
		"another scheme":  {"mysql://crew:" + password + "@host/x", "cannot be read", false},
		"nobody there":    {"postgres://crew:" + password + "@" + gone.Addr().String() + "/x", "does not answer", true},
		"no such name":    {strings.Replace(dbtest.Empty(t), "/crewlet_", "/absent_", 1), `"absent_`, false},
		"another charset": {latin(t), "ENCODING 'UTF8'", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := db.Open(t.Context(), db.Options{URL: c.url})
			if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), password) || db.Unavailable(err) != c.unavailable {
				t.Errorf("%v (unavailable: %t)", err, db.Unavailable(err))
			}
		})
	}
}

// latin is the address of a database that is not UTF-8.
func latin(t *testing.T) string {
	t.Helper()
	address := dbtest.Empty(t)
	before, query, _ := strings.Cut(address, "?")
	slash := strings.LastIndex(before, "/") + 1
	name := before[slash:] + "_latin"
	statement := func(sql string) {
		t.Helper()
		admin := openRaw(t, address)
		_, err := admin.ExecContext(context.Background(), sql)
		must(t, errors.Join(err, admin.Close()))
	}
	statement(`CREATE DATABASE ` + name + ` TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`)
	t.Cleanup(func() { statement(`DROP DATABASE ` + name + ` WITH (FORCE)`) })
	return before[:slash] + name + "?" + query
}

func openRaw(t *testing.T, address string) *sql.DB {
	t.Helper()
	raw, err := sql.Open("postgres", address)
	must(t, err)
	return raw
}
