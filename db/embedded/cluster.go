package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

const (
	userName     = "crewlet"
	databaseName = "crewlet"
	port         = "5432" // only names the socket's file
)

// dataVersion is the major version that made the data; 0 where there is none.
func dataVersion(data string) (int, error) {
	text, err := os.ReadFile(filepath.Join(data, "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(data); err == nil {
			return 0, fmt.Errorf("%s is no PostgreSQL data folder (it has no PG_VERSION); move it away, or choose another CREWLET_DATA", data)
		}
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read the data's version: %w", err)
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || major == 0 {
		return 0, fmt.Errorf("%s/PG_VERSION says %q, which is no version; restore the folder from a backup", data, text)
	}
	return major, nil
}

// initialise makes the data folder under another name and renames it when it
// is whole, so that a kill half-way leaves nothing that looks like data.
func (s *Server) initialise(ctx context.Context) error {
	left, _ := filepath.Glob(filepath.Join(s.dir, "initdb-*")) // the pattern is ours
	for _, dir := range left {
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("remove an unfinished data folder: %w", err)
		}
	}
	made, err := os.MkdirTemp(s.dir, "initdb-")
	if err != nil {
		return fmt.Errorf("make the data folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(made) }() // nothing is there after the rename
	if err := s.account.give(made); err != nil {
		return fmt.Errorf("give the data folder to user %s: %w", s.account.name, err)
	}
	if err := s.initdb(ctx, made); err != nil {
		return err
	}
	if err := os.Rename(made, s.data); err != nil {
		return fmt.Errorf("name the data folder: %w", err)
	}
	return syncFolder(s.dir)
}

func (s *Server) initdb(ctx context.Context, made string) error {
	args := []string{"-D", made, "-U", userName, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--data-checksums"}
	if s.scratch {
		args = append(args, "--no-sync")
	}
	cmd := exec.CommandContext(ctx, s.programs.initdb(), args...)
	cmd.Dir, cmd.Env = "/", environment()
	cmd.SysProcAttr = s.account.attributes(syscall.SIGKILL)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	var out []byte
	var err error
	finished := make(chan struct{})
	go func() { // the parent-death signal follows the thread that forks
		defer close(finished)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		out, err = cmd.CombinedOutput()
	}()
	<-finished
	if err != nil {
		return s.unmade(err, string(out))
	}
	return nil
}

// unmade says why initdb failed.
func (s *Server) unmade(err error, said string) error {
	if strings.Contains(said, "could not look up effective user ID") {
		return fmt.Errorf("user %d has no entry in /etc/passwd, which PostgreSQL asks for; add one, or run as a user that has one", s.account.uid)
	}
	return fmt.Errorf("initdb: %w: %s", err, lastLines(said))
}

// attributes of a child: its own process group, so that Ctrl-C in a terminal
// reaches us and not it, and a signal for when we die.
func (a account) attributes(death syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: death, Credential: a.drop}
}

// environment is all a server sees of ours: nothing beginning PG among it.
func environment() []string {
	return []string{"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "TZ=UTC"}
}

func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// lastLines is the end of a program's output, where its reason is.
func lastLines(text string) string {
	const most = 1500
	text = strings.TrimSpace(text)
	if len(text) > most {
		text = "… " + text[len(text)-most:]
	}
	return text
}
