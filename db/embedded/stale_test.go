package embedded

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// As seen: a postmaster.pid whose number has become a zombie's or another
// program's makes postgres refuse to start.
func TestAStalePidFile(t *testing.T) {
	t.Parallel()
	for name, other := range map[string]func(*testing.T, *Server) int{
		"of a zombie":          func(t *testing.T, s *Server) int { return child(t, s, "true") },
		"of another program":   func(t *testing.T, s *Server) int { return child(t, s, "sleep", "600") },
		"of another postgres":  func(t *testing.T, _ *Server) int { return postmaster(t, begin(t, seeded(t, -1), true).dir) },
		"of nobody":            func(t *testing.T, s *Server) int { return 1<<22 - 1 },
		"of the program":       func(t *testing.T, _ *Server) int { return os.Getpid() },
		"of the whole machine": func(t *testing.T, _ *Server) int { return 1 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := seeded(t, -1)
			s, err := Start(t.Context(), Options{Dir: dir, Serve: true})
			must(t, err)
			file := filepath.Join(dir, "data", "postmaster.pid")
			text, err := os.ReadFile(file)
			must(t, err)
			must(t, s.Stop())
			_, rest, _ := bytes.Cut(text, []byte("\n"))
			must(t, os.WriteFile(file, append([]byte(strconv.Itoa(other(t, s))+"\n"), rest...), 0o600))
			must(t, s.account.give(file))
			must(t, os.WriteFile(filepath.Join(s.sock, ".s.PGSQL.5432.lock"), text, 0o600))
			must(t, s.account.give(filepath.Join(s.sock, ".s.PGSQL.5432.lock")))
			again := begin(t, dir, true)
			must(t, answers(t.Context(), again.sock))
		})
	}
}

// child runs a program as the server's account. It is not waited for before
// the test ends, so that one that has ended stays a zombie.
func child(t *testing.T, s *Server, name string, args ...string) int {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.SysProcAttr = "/", s.account.attributes(9)
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	if name == "true" {
		eventually(t, "it is a zombie", func() bool { return gone(cmd.Process.Pid) })
	}
	return cmd.Process.Pid
}
