package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const claimBeat = 20 * time.Millisecond

// ownership is the lock on a server's folder. The lock file says who holds it
// and where the socket is; only the lock itself proves anything, since the
// kernel takes it back however its holder ends.
type ownership struct {
	file *os.File
	role string
}

// holder is what a lock file says.
type holder struct {
	role string // serve or command
	pid  int
	sock string // empty while it is being found
}

// claim takes the folder, or, for a command, finds the socket of the server
// that a serve keeps running there.
func claim(ctx context.Context, dir string, serve bool) (*ownership, string, error) {
	role := "command"
	if serve {
		role = "serve"
	}
	limit := time.NewTimer(startLimit)
	defer limit.Stop()
	beat := time.NewTicker(claimBeat)
	defer beat.Stop()
	for {
		own, err := take(dir, role)
		if own != nil || err != nil {
			return own, "", err
		}
		h := heldBy(dir)
		if sock, err := h.share(ctx, dir, serve); sock != "" || err != nil {
			return nil, sock, err
		}
		select {
		case <-beat.C:
		case <-ctx.Done():
			return nil, "", fmt.Errorf("%s: %w", h.holds(dir), ctx.Err())
		case <-limit.C:
			return nil, "", fmt.Errorf("%s, and did not let go within %s", h.holds(dir), startLimit)
		}
	}
}

// share finds the socket of a serve that answers; empty while there is none. A
// second serve is refused.
func (h holder) share(ctx context.Context, dir string, serve bool) (string, error) {
	if h.role != "serve" {
		return "", nil
	}
	if serve {
		return "", fmt.Errorf("another crewlet (process %d) already serves from %s; stop it first, or give this one its own CREWLET_DATA", h.pid, dir)
	}
	if h.sock == "" || answers(ctx, h.sock) != nil {
		return "", nil
	}
	return h.sock, nil
}

func (h holder) holds(dir string) string {
	if h.pid == 0 {
		return "another process holds the database in " + dir
	}
	return fmt.Sprintf("process %d (crewlet %s) holds the database in %s", h.pid, h.role, dir)
}

// take takes the lock if nobody holds it.
func take(dir, role string) (*ownership, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("the database in %s belongs to another user; run crewlet as that one: %w", dir, err)
	}
	if err != nil {
		return nil, fmt.Errorf("open the database's lock: %w", err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, f.Close()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock the database's folder: %w", err), f.Close())
	}
	own := &ownership{file: f, role: role}
	if err := own.tell(""); err != nil {
		own.release()
		return nil, err
	}
	return own, nil
}

// tell writes who holds the lock, for those who find it taken.
func (o *ownership) tell(sock string) error {
	if err := o.file.Truncate(0); err != nil {
		return fmt.Errorf("write the database's lock: %w", err)
	}
	line := fmt.Sprintf("%s %d %s\n", o.role, os.Getpid(), sock)
	if _, err := o.file.WriteAt([]byte(line), 0); err != nil {
		return fmt.Errorf("write the database's lock: %w", err)
	}
	return nil
}

// release gives the folder back.
func (o *ownership) release() {
	_ = o.file.Truncate(0)
	_ = o.file.Close()
}

// heldBy reads a lock file. What a holder that was killed left behind counts
// for nothing, nor does a line still being written.
func heldBy(dir string) holder {
	text, _ := os.ReadFile(filepath.Join(dir, "lock"))
	line, whole := strings.CutSuffix(string(text), "\n")
	parts := strings.SplitN(line, " ", 3)
	if !whole || len(parts) != 3 {
		return holder{}
	}
	pid, err := strconv.Atoi(parts[1])
	if err != nil || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return holder{}
	}
	return holder{role: parts[0], pid: pid, sock: parts[2]}
}
