package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is who the server runs as: PostgreSQL refuses to run as root.
type account struct {
	name     string
	uid, gid int
	drop     *syscall.Credential // nil when it is who we are already
}

// accountFor is the owner of an existing data folder, else postgres, else
// nobody; without root it is always ourselves.
func accountFor(data string) (account, error) {
	owner, there, err := ownerOf(data)
	if err != nil {
		return account{}, err
	}
	if me := os.Geteuid(); me != 0 {
		if there && owner.uid != me {
			return account{}, fmt.Errorf("%s belongs to user %d, this is user %d; run crewlet as its owner, or chown it", data, owner.uid, me)
		}
		return account{uid: me, gid: os.Getegid()}, nil
	}
	if there && owner.uid == 0 {
		return account{}, fmt.Errorf("%s belongs to root, as which PostgreSQL refuses to run; chown -R it to an ordinary user", data)
	}
	if there {
		return owner.dropped(), nil
	}
	return ordinary()
}

// ordinary finds an account for root to become.
func ordinary() (account, error) {
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.Atoi(u.Uid)
		gid, gidErr := strconv.Atoi(u.Gid)
		if uidErr == nil && gidErr == nil && uid != 0 {
			return account{name: name, uid: uid, gid: gid}.dropped(), nil
		}
	}
	return account{}, errors.New("PostgreSQL refuses to run as root, and this machine has neither a user postgres nor nobody; run crewlet as an ordinary user")
}

func ownerOf(path string) (account, bool, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return account{}, false, nil
	}
	if err != nil {
		return account{}, false, fmt.Errorf("look at the database's data: %w", err)
	}
	stat := info.Sys().(*syscall.Stat_t)
	a := account{uid: int(stat.Uid), gid: int(stat.Gid), name: strconv.Itoa(int(stat.Uid))}
	if u, err := user.LookupId(a.name); err == nil {
		a.name = u.Username
	}
	return a, true, nil
}

// dropped makes a the account that root becomes, without root's groups.
func (a account) dropped() account {
	a.drop = &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid), Groups: []uint32{}}
	return a
}

// give hands a path to the account.
func (a account) give(path string) error {
	if a.drop == nil {
		return nil
	}
	return os.Chown(path, a.uid, a.gid)
}

// admit lets the account pass through the server's own folder, which a strict
// umask may have closed, and refuses one above it that it cannot pass.
func (a account) admit(dir string) error {
	if a.drop != nil {
		if err := os.Chmod(dir, 0o755); err != nil {
			return fmt.Errorf("open the database's folder to user %s: %w", a.name, err)
		}
	}
	return a.reaches(dir)
}

// reaches refuses a path the account cannot get to, naming the folder in the
// way. Without this the first sign would be a bare "permission denied".
func (a account) reaches(path string) error {
	if a.drop == nil {
		return nil
	}
	test, err := exec.LookPath("test")
	if err != nil {
		return nil // nothing to ask with; the server will complain for itself
	}
	cmd := exec.Command(test, "-x", path)
	cmd.Dir, cmd.Env = "/", []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: a.drop}
	if cmd.Run() == nil {
		return nil
	}
	return fmt.Errorf("PostgreSQL runs as user %s, who cannot reach %s: %s is closed to others; "+
		"chmod o+x it, or move to a folder everyone may enter (CREWLET_DATA for the data)", a.name, path, closed(path))
}

// closed is the topmost folder on the way that others may not enter.
func closed(path string) string {
	at := path
	for p := path; ; p = filepath.Dir(p) {
		if info, err := os.Stat(p); err == nil && info.Mode().Perm()&0o001 == 0 {
			at = p
		}
		if p == filepath.Dir(p) {
			return at
		}
	}
}
