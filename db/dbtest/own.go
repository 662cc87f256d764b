package dbtest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"crewlet/db/embedded"
)

const (
	folderPrefix = "crewlet-dbtest-"
	room         = 1 << 30 // bytes free, below which memory is not used, or tidied up
)

// startOwn starts a server in memory, which a kill of the test process ends.
func (c *cluster) startOwn(ctx context.Context) (err error) {
	where := "/dev/shm"
	if !roomy(where) {
		where = os.TempDir()
	}
	sweep(where)
	if c.dir, err = os.MkdirTemp(where, folderPrefix); err != nil {
		return err
	}
	// The server may run as another user, who must be able to pass through.
	if err := os.Chmod(c.dir, 0o755); err != nil {
		return errors.Join(err, os.RemoveAll(c.dir))
	}
	c.server, err = embedded.Start(ctx, embedded.Options{
		Dir: filepath.Join(c.dir, "pg"), Bin: os.Getenv("CREWLET_PG_BIN"), Serve: true, Scratch: true,
	})
	if err != nil {
		c.server = nil
		return errors.Join(err, os.RemoveAll(c.dir))
	}
	c.base = c.server.URL()
	return nil
}

// sweep removes the folders of test processes that were killed: those whose
// lock is free and whose server is gone.
func sweep(where string) {
	left, _ := filepath.Glob(filepath.Join(where, folderPrefix+"*")) // the pattern is ours
	for _, dir := range left {
		if abandoned(filepath.Join(dir, "pg")) {
			_ = os.RemoveAll(dir)
		}
	}
}

func abandoned(dir string) bool {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR, 0)
	if err != nil {
		return false // just being made, or not ours
	}
	defer func() { _ = f.Close() }()
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return false
	}
	text, err := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
	if err != nil {
		return os.IsNotExist(err)
	}
	pid, _, _ := strings.Cut(string(text), "\n")
	_, err = os.Stat("/proc/" + strings.TrimSpace(pid))
	return os.IsNotExist(err)
}

func roomy(dir string) bool {
	var fs syscall.Statfs_t
	err := syscall.Statfs(dir, &fs)
	return err == nil && fs.Bavail*uint64(fs.Bsize) > room
}
