package embedded

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// programDir makes this test binary behave as a program that serves from the
// folder it names, until its standard input ends.
const programDir = "TEST_PROGRAM_DIR"

// ground is where the tests' folders are: in memory, open to every user.
var ground string

func TestMain(m *testing.M) {
	if dir := os.Getenv(programDir); dir != "" {
		os.Exit(program(dir))
	}
	os.Exit(tests(m))
}

func tests(m *testing.M) int {
	// What a killed program leaves becomes ours, and stays a zombie until we
	// look: the state that a slow init leaves a server in.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		panic(err)
	}
	where := "/dev/shm"
	if _, err := os.Stat(where); err != nil {
		where = os.TempDir()
	}
	var err error
	if ground, err = os.MkdirTemp(where, "crewlet-embedded-"); err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(ground) }()
	if err := os.Chmod(ground, 0o755); err != nil {
		panic(err)
	}
	if err := copyProgram(); err != nil {
		panic(err)
	}
	return m.Run()
}

func program(dir string) int {
	s, err := Start(context.Background(), Options{Dir: dir, Serve: true})
	if err != nil {
		fmt.Println("failed", err)
		return 1
	}
	fmt.Println("ready", s.URL())
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := s.Stop(); err != nil {
		fmt.Println("failed", err)
		return 1
	}
	return 0
}

// running is a program under way.
type running struct {
	cmd *exec.Cmd
	url string
}

// launch runs the program as uid (-1: as we are) and returns what it says.
func launch(t *testing.T, dir string, uid int) (*running, string) {
	t.Helper()
	cmd := runs(t, dir, uid)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil && err != io.EOF {
		t.Fatal(err)
	}
	line = strings.TrimSpace(line)
	return &running{cmd: cmd, url: strings.TrimPrefix(line, "ready ")}, line
}

// silently runs the program without waiting for what it says.
func silently(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	cmd := runs(t, dir, -1)
	must(t, cmd.Start())
	return cmd
}

func runs(t *testing.T, dir string, uid int) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(filepath.Join(ground, "program"))
	cmd.Env = append(os.Environ(), programDir+"="+dir)
	cmd.Dir, cmd.Stderr = "/", os.Stderr
	if uid >= 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid), Groups: []uint32{}}}
	}
	in, err := cmd.StdinPipe()
	must(t, err)
	t.Cleanup(func() {
		_ = in.Close() // it stops its server and ends
		_ = cmd.Wait()
	})
	return cmd
}

// busy occupies a backend, whose number it sends, until that is killed.
func busy(url string, backend chan<- int) {
	d, err := sql.Open("postgres", url)
	if err != nil {
		return
	}
	defer func() { _ = d.Close() }()
	d.SetMaxOpenConns(1)
	var pid int
	if err := d.QueryRow(`SELECT pg_backend_pid()`).Scan(&pid); err != nil {
		close(backend)
		return
	}
	backend <- pid
	_ = d.QueryRow(`SELECT count(*) FROM generate_series(1, 1000000000)`).Scan(&pid) // never answered
}

// kill ends the program as a crash would.
func (r *running) kill(t *testing.T) {
	t.Helper()
	must(t, r.cmd.Process.Kill())
	_ = r.cmd.Wait() // says that it was killed
}

// copyProgram copies the test binary to where every user may run it. It is
// done before any test: a child forked meanwhile would hold the file open for
// writing, and nobody could run it.
func copyProgram() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(self)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(ground, "program"), text, 0o755)
}

// folder is a fresh folder, given to uid when that is not negative.
func folder(t *testing.T, uid int) string {
	t.Helper()
	dir, err := os.MkdirTemp(ground, "case-")
	must(t, err)
	must(t, os.Chmod(dir, 0o755))
	if uid >= 0 {
		must(t, os.Chown(dir, uid, uid))
	}
	return filepath.Join(dir, "postgres")
}

// seed is a fresh server's data, made once: initdb takes its second each time.
var seed = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(ground, "seed")
	s, err := Start(context.Background(), Options{Dir: dir, Serve: true})
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "data"), s.Stop()
})

// seeded is a folder with fresh data in it.
func seeded(t *testing.T, uid int) string {
	t.Helper()
	data, err := seed()
	must(t, err)
	dir := folder(t, uid)
	must(t, os.Mkdir(dir, 0o755))
	must(t, exec.Command("cp", "-a", data, dir).Run())
	if uid >= 0 {
		must(t, exec.Command("chown", "-R", strconv.Itoa(uid), dir).Run())
	}
	return dir
}

// users are the accounts a test runs the program as: ourselves, and, if that
// is root, an ordinary user too.
func users() map[string]int {
	if os.Geteuid() == 0 {
		return map[string]int{"as root": -1, "as an ordinary user": 65534}
	}
	return map[string]int{"as an ordinary user": -1}
}

// begin starts a server in this process.
func begin(t *testing.T, dir string, serve bool) *Server {
	t.Helper()
	s, err := Start(t.Context(), Options{Dir: dir, Serve: serve})
	must(t, err)
	t.Cleanup(func() { must(t, s.Stop()) })
	return s
}

// query asks the server at url for one text.
func query(url, statement string) (answer string, err error) {
	d, err := sql.Open("postgres", url)
	if err != nil {
		return "", err
	}
	defer func() { _ = d.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	err = d.QueryRowContext(ctx, statement).Scan(&answer)
	return answer, err
}

// remember writes a row; remembered tells whether it is there.
func remember(t *testing.T, url string) {
	t.Helper()
	word, err := query(url, `CREATE TABLE kept AS SELECT 'kept' AS word`)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		t.Fatal(word, err)
	}
}

func remembered(t *testing.T, url string) {
	t.Helper()
	if word, err := query(url, `SELECT word FROM kept`); err != nil || word != "kept" {
		t.Errorf("what was committed: %q, %v", word, err)
	}
}

// postmaster is the number in postmaster.pid.
func postmaster(t *testing.T, dir string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
	must(t, err)
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(first))
	must(t, err)
	return pid
}

// eventually waits until what is true.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	beat := time.NewTicker(5 * time.Millisecond)
	defer beat.Stop()
	limit := time.After(30 * time.Second)
	for !is() {
		select {
		case <-beat.C:
		case <-limit:
			t.Fatalf("it did not happen: %s", what)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
