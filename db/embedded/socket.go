package embedded

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// longestSocket is what a unix socket's address can hold (sun_path, less its
// closing NUL).
const longestSocket = 107

// socketFolder makes the folder of the server's socket, open to its account
// alone: whoever reaches the socket is trusted. It lies in dir, or, where that
// path is too long, in the folder for temporary files.
func socketFolder(dir string, a account) (string, error) {
	sock := filepath.Join(dir, "sock")
	if tooLong(sock) {
		sock = shortFolder(dir)
	}
	if tooLong(sock) {
		return "", fmt.Errorf("a socket in %s has too long a path, and so has one in %s; choose a shorter TMPDIR or CREWLET_DATA", dir, os.TempDir())
	}
	if err := os.Mkdir(sock, 0o700); err != nil && !os.IsExist(err) {
		return "", fmt.Errorf("make the socket's folder: %w", err)
	}
	info, err := os.Lstat(sock)
	if err != nil {
		return "", fmt.Errorf("look at the socket's folder: %w", err)
	}
	owner := int(info.Sys().(*syscall.Stat_t).Uid)
	if !info.IsDir() || owner != os.Geteuid() && owner != a.uid {
		return "", fmt.Errorf("%s is not ours; remove it", sock)
	}
	if err := os.Chmod(sock, 0o700); err != nil {
		return "", fmt.Errorf("close the socket's folder to others: %w", err)
	}
	if err := a.give(sock); err != nil {
		return "", fmt.Errorf("give the socket's folder to user %s: %w", a.name, err)
	}
	return sock, a.reaches(sock)
}

func tooLong(sock string) bool { return len(filepath.Join(sock, ".s.PGSQL."+port)) > longestSocket }

func shortFolder(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return filepath.Join(os.TempDir(), "crewlet-"+hex.EncodeToString(sum[:6]))
}

// forgetSocketFolder removes a folder made outside dir.
func forgetSocketFolder(dir, sock string) {
	if filepath.Dir(sock) != dir {
		_ = os.Remove(sock)
	}
}
