package embedded

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAFreshServer(t *testing.T) {
	t.Parallel()
	dir := folder(t, -1)
	s := begin(t, dir, true)
	remember(t, s.URL())
	for setting, want := range map[string]string{
		"listen_addresses": "", "server_encoding": "UTF8", "data_checksums": "on", "fsync": "on", "lc_collate": "C.UTF-8",
	} {
		got, err := query(s.URL(), `SELECT coalesce(current_setting('`+setting+`', true),
			(SELECT datcollate FROM pg_database WHERE datname = current_database()))`)
		if err != nil || got != want {
			t.Errorf("%s is %q, want %q (%v)", setting, got, want, err)
		}
	}
	for _, name := range []string{"data", "sock"} {
		info, err := os.Stat(filepath.Join(dir, name))
		must(t, err)
		if owner := int(info.Sys().(*syscall.Stat_t).Uid); info.Mode().Perm() != 0o700 || owner == 0 {
			t.Errorf("%s is %s of user %d, want 0700 of an ordinary one", name, info.Mode(), owner)
		}
	}
	first := postmaster(t, dir)
	must(t, s.Stop())
	if !gone(first) {
		t.Errorf("the server, process %d, is still there", first)
	}
	remembered(t, begin(t, dir, true).URL())
}

func TestALongPath(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(folder(t, -1), strings.Repeat("long/", 20))
	s := begin(t, dir, true)
	must(t, answers(t.Context(), begin(t, dir, false).sock)) // a command finds it
	if filepath.Dir(s.sock) == dir || len(s.sock) > 90 {
		t.Errorf("the socket is in %s", s.sock)
	}
	must(t, s.Stop())
	if _, err := os.Stat(s.sock); err == nil {
		t.Errorf("%s is left", s.sock)
	}
}

func TestStartRefusesDataItCannotServe(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		version string
		says    []string
	}{
		"of an older version":  {"14\n", []string{"PostgreSQL 14", "Nothing was touched", "apt-get install postgresql-14"}},
		"of a newer version":   {"99\n", []string{"PostgreSQL 99", "Nothing was touched", "apt-get install postgresql-99"}},
		"of no version at all": {"", []string{"no PostgreSQL data folder"}},
		"of a broken version":  {"x\n", []string{"which is no version"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := seeded(t, -1)
			file := filepath.Join(dir, "data", "PG_VERSION")
			must(t, os.Remove(file))
			if c.version != "" {
				must(t, os.WriteFile(file, []byte(c.version), 0o600))
			}
			says := refused(t, Options{Dir: dir, Serve: true})
			for _, part := range c.says {
				if !strings.Contains(says, part) {
					t.Errorf("it says %q, without %q", says, part)
				}
			}
			if _, err := os.Stat(filepath.Join(dir, "data", "base")); err != nil {
				t.Errorf("the data is gone: %v", err)
			}
		})
	}
}

func TestAStartThatIsGivenUpLeavesNothingRunning(t *testing.T) {
	t.Parallel()
	dir := seeded(t, -1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Start(ctx, Options{Dir: dir, Serve: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "data", "postmaster.pid")); err == nil {
		t.Error("a server runs")
	}
	begin(t, dir, true) // the folder is free
}

// Run as root the server's account must reach the folder; an ordinary user
// reaches what is their own.
func TestAFolderTheServersAccountCannotReach(t *testing.T) {
	t.Parallel()
	shut := folder(t, -1)
	must(t, os.Mkdir(shut, 0o700))
	s, err := Start(t.Context(), Options{Dir: filepath.Join(shut, "postgres"), Serve: true})
	if os.Geteuid() != 0 {
		must(t, err)
		must(t, s.Stop())
		return
	}
	if err == nil || !strings.Contains(err.Error(), "cannot reach") || !strings.Contains(err.Error(), shut+" is closed to others") {
		t.Errorf("got %v", err)
	}
}

func TestAUserWithoutAnEntry(t *testing.T) {
	t.Parallel()
	const nobodyKnows = 54321
	s := &Server{account: account{uid: nobodyKnows}}
	if os.Geteuid() == 0 {
		_, said := launch(t, folder(t, nobodyKnows), nobodyKnows)
		if !strings.Contains(said, "user 54321 has no entry in /etc/passwd") {
			t.Errorf("it says %q", said)
		}
		return
	}
	if err := s.unmade(errors.New("exit status 1"), "initdb: error: could not look up effective user ID 54321"); !strings.Contains(err.Error(), "no entry in /etc/passwd") {
		t.Errorf("it says %v", err)
	}
}
