package embedded

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// clearStale prepares the data folder for a start after a server that was
// killed. It may only be called by the folder's owner.
//
// The server left postmaster.pid behind. If the process of that number is a
// zombie or somebody else, a new server would still take it for a living one.
// The file is not removed: its last lines guard against backends that outlived
// their server. Only the number in it becomes ours, which a server started by
// us takes for its parent's and ignores, and the socket's files, which repeat
// the number, go.
func (s *Server) clearStale() error {
	file := filepath.Join(s.data, "postmaster.pid")
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read postmaster.pid: %w", err)
	}
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	pid, err := strconv.Atoi(strings.TrimSpace(string(first)))
	if err != nil {
		return fmt.Errorf("postmaster.pid begins with %q, which is no process; if no postgres runs on %s, remove it", first, s.data)
	}
	if s.serves(pid) {
		return nil
	}
	mine := append([]byte(strconv.Itoa(os.Getpid())+"\n"), rest...)
	if err := os.WriteFile(file, mine, 0o600); err != nil {
		return fmt.Errorf("correct postmaster.pid: %w", err)
	}
	for _, name := range []string{".s.PGSQL." + port, ".s.PGSQL." + port + ".lock"} {
		if err := os.Remove(filepath.Join(s.sock, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove a stale socket: %w", err)
		}
	}
	return nil
}

// serves tells whether pid is a living postgres that works in our data folder.
func (s *Server) serves(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	// "123 (name) S …": the name may itself hold spaces and brackets.
	name, state, found := bytes.Cut(stat[bytes.IndexByte(stat, '(')+1:], []byte(") "))
	if !found || string(name) != "postgres" || bytes.HasPrefix(state, []byte("Z")) {
		return false
	}
	cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	if err != nil {
		return true // not ours to look at: rather wait for it than write beside it
	}
	here, err := filepath.EvalSymlinks(s.data)
	return err != nil || cwd == here
}
