package db_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/sync/errgroup"

	"crewlet/db"
	"crewlet/db/dbtest"
)

func file(sql string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("-- +goose Up\n" + sql + "\n")}
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	first := fstest.MapFS{"00001_a.sql": file("CREATE TABLE a ();")}
	both := fstest.MapFS{"00001_a.sql": first["00001_a.sql"], "00002_b.sql": file("CREATE TABLE b ();")}
	broken := fstest.MapFS{"00001_a.sql": first["00001_a.sql"], "00002_b.sql": file("CREATE TABLE b (); SELECT nonsense;")}
	for name, c := range map[string]struct {
		steps []fstest.MapFS
		says  string // of the last step
		b     bool   // whether table b is there
	}{
		"the first":       {[]fstest.MapFS{first}, "", false},
		"one more":        {[]fstest.MapFS{first, both}, "", true},
		"again":           {[]fstest.MapFS{both, both}, "", true},
		"a newer schema":  {[]fstest.MapFS{both, first}, "schema is version 2, newer than the 1 this program knows", true},
		"a broken script": {[]fstest.MapFS{first, broken}, "nonsense", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := open(t, dbtest.Empty(t))
			var err error
			for _, files := range c.steps {
				err = d.MigrateFrom(t.Context(), files)
			}
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
			var b bool
			must(t, d.GetContext(t.Context(), &b, `SELECT to_regclass('b') IS NOT NULL`))
			if b != c.b {
				t.Errorf("table b is there: %t, want %t", b, c.b)
			}
		})
	}
}

func TestNodesThatStartTogetherMigrateOnce(t *testing.T) {
	t.Parallel()
	address := dbtest.Empty(t)
	var nodes errgroup.Group
	for range 3 {
		d := open(t, address)
		nodes.Go(func() error { return d.Migrate(t.Context()) })
	}
	must(t, nodes.Wait())
	must(t, open(t, address).GetContext(t.Context(), new(int64), `SELECT position FROM log_head`))
}

// open opens the database at address until the test ends.
func open(t *testing.T, address string) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), db.Options{URL: address})
	must(t, err)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}
