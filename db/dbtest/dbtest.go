// Package dbtest gives each test a migrated database of its own, copied from a
// template in some 30 ms. The server is one per test process, in memory,
// started by the first test that asks and gone with the process; or the one
// that CREWLET_TEST_DATABASE_URL names.
package dbtest

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"crewlet/db"
)

// external names a server to test against instead of one of our own.
const external = "CREWLET_TEST_DATABASE_URL"

// process is the test process's one server. A test cannot hand it to the next,
// so here, and only here, state belongs to the package.
var process struct {
	sync.Mutex
	cluster *cluster
	failed  error
	running bool // Main is under way, so somebody will end the cluster
}

// Main runs a package's tests and ends the server they used:
//
//	func TestMain(m *testing.M) { dbtest.Main(m) }
func Main(m *testing.M) {
	process.Lock()
	process.running = true
	process.Unlock()
	code := m.Run()
	if err := end(); err != nil {
		fmt.Fprintln(os.Stderr, "dbtest:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

func end() error {
	process.Lock()
	defer process.Unlock()
	if process.cluster == nil {
		return nil
	}
	return process.cluster.close()
}

// New opens a fresh migrated database, which is closed and gone after the test.
func New(t testing.TB) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), db.Options{URL: URL(t), App: "dbtest"})
	if err != nil {
		t.Fatalf("open the test's database: %v", err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("close the test's database: %v", err)
		}
	})
	return d
}

// URL is the address of a fresh migrated database, gone after the test, for
// tests that run the whole program.
func URL(t testing.TB) string {
	t.Helper()
	c := shared(t)
	name, err := c.create(t.Context())
	if err != nil {
		t.Fatalf("create the test's database: %v", err)
	}
	t.Cleanup(func() {
		if err := c.drop(context.Background(), name); err != nil {
			t.Errorf("drop the test's database: %v", err)
		}
	})
	return c.url(name)
}

// Empty is the address of a fresh database without a schema, gone after the
// test.
func Empty(t testing.TB) string {
	t.Helper()
	c := shared(t)
	name, err := c.createFrom(t.Context(), "template0")
	if err != nil {
		t.Fatalf("create the test's database: %v", err)
	}
	t.Cleanup(func() {
		if err := c.drop(context.Background(), name); err != nil {
			t.Errorf("drop the test's database: %v", err)
		}
	})
	return c.url(name)
}

func shared(t testing.TB) *cluster {
	t.Helper()
	process.Lock()
	defer process.Unlock()
	if !process.running {
		t.Fatal("this package lacks func TestMain(m *testing.M) { dbtest.Main(m) }")
	}
	if process.cluster == nil && process.failed == nil {
		process.cluster, process.failed = newCluster(context.Background(), os.Getenv(external))
	}
	if process.failed != nil {
		t.Fatalf("start the tests' database server: %v", process.failed)
	}
	return process.cluster
}
