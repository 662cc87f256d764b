package db_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"crewlet/db"
)

// The whole of it: an embedded server made, migrated, attached to by a
// command, killed under the program's feet, and gone with it.
func TestOpenEmbedded(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "postgres")
	open0755(t, filepath.Dir(dir))
	serve, err := db.Open(t.Context(), db.Options{Dir: dir, Serve: true, App: "node"})
	must(t, err)
	defer func() { _ = serve.Close() }()
	must(t, serve.Migrate(t.Context()))
	run(t, serve, `CREATE TABLE marks (n int)`, `INSERT INTO marks VALUES (1)`)
	command, err := db.Open(t.Context(), db.Options{Dir: dir})
	must(t, err)
	run(t, command, `INSERT INTO marks VALUES (2)`)
	must(t, command.Close())
	if _, err := db.Open(t.Context(), db.Options{Dir: dir, Serve: true}); err == nil || !strings.Contains(err.Error(), "already serves") {
		t.Errorf("a second serve: %v", err)
	}

	notes, err := serve.Listen(t.Context(), "changes")
	must(t, err)
	first := postmaster(t, dir)
	must(t, syscall.Kill(first, syscall.SIGKILL))
	for n := range notes {
		if n.Resync {
			break // the listener is back, so the server is
		}
	}
	if n := times(t, serve); n != 2 {
		t.Errorf("%d rows after the server was killed, want 2", n)
	}
	second := postmaster(t, dir)
	must(t, serve.Close())
	if syscall.Kill(second, 0) == nil || first == second {
		t.Errorf("servers %d and %d: one started after the other, and none left", first, second)
	}
}

func postmaster(t *testing.T, dir string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
	must(t, err)
	line, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(line)
	must(t, err)
	return pid
}

// open0755 lets other users pass through a test's folder.
func open0755(t *testing.T, dir string) {
	t.Helper()
	for ; strings.HasPrefix(dir, os.TempDir()+"/"); dir = filepath.Dir(dir) {
		must(t, os.Chmod(dir, 0o755))
	}
}

func TestOpenWithoutAnythingToOpen(t *testing.T) {
	t.Parallel()
	if d, err := db.Open(t.Context(), db.Options{}); err == nil {
		t.Errorf("it opened something: %v", d.Close())
	}
}
