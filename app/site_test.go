package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"crewlet/db"
	"crewlet/db/dbtest"
)

// said is what a program wrote, safe to read while it writes.
type said struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// site is a whole node serving in this process, on a database of its own.
type site struct {
	url      string
	out, log *said
	environ  []string
}

// serving starts a node and waits until it is ready. It is stopped after the
// test, and has to stop without an error.
func serving(t *testing.T, environ ...string) *site {
	t.Helper()
	address := free(t)
	s := &site{url: "http://" + address, out: &said{}, log: &said{}}
	s.environ = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(),
		"CREWLET_LISTEN=" + address, "CREWLET_DATA=" + t.TempDir(), "CREWLET_DATABASE_URL=" + dbtest.URL(t),
	}, environ...)
	return s.start(t)
}

// free is an address nobody listens on.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

func (s *site) start(t *testing.T) *site {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	p := &program{environ: s.environ, stdin: strings.NewReader(""), stdout: s.out, stderr: s.log}
	go func() { ended <- p.run(ctx, []string{"serve"}) }()
	t.Cleanup(func() {
		stop()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("the node ended with %v", err)
			}
		case <-time.After(30 * time.Second):
			t.Error("the node does not stop")
		}
		if t.Failed() {
			t.Logf("its log:\n%s", s.log)
		}
	})
	eventually(t, "the node is ready", func() bool {
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("the node ended: %v\n%s", err, s.log)
		default:
		}
		r, err := http.Get(s.url + "/ready")
		if err != nil {
			return false
		}
		return r.Body.Close() == nil && r.StatusCode == http.StatusOK && strings.Contains(s.out.String(), "is ready at")
	})
	return s
}

var setupShape = regexp.MustCompile(`http://\S+/setup/\S+`)

// setupLink waits for the set-up link, which follows the word that the node is
// ready.
func (s *site) setupLink(t *testing.T) string {
	t.Helper()
	eventually(t, "the set-up link is printed", func() bool { return setupShape.MatchString(s.out.String()) })
	return setupShape.FindString(s.out.String())
}

// command gives one command beside the serving node.
func (s *site) command(t *testing.T, stdin string, args ...string) (stdout string, err error) {
	t.Helper()
	out, log := &said{}, &said{}
	p := &program{environ: s.environ, stdin: strings.NewReader(stdin), stdout: out, stderr: log}
	err = p.run(t.Context(), args)
	if err != nil {
		err = fmt.Errorf("%s", says(err))
	}
	return out.String(), err
}

// token mints a token for programs.
func (s *site) token(t *testing.T, flags ...string) string {
	t.Helper()
	out, err := s.command(t, "", append([]string{"token", "create", "--label", "test"}, flags...)...)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out)
}

// inTx reaches the site's database past its use cases.
func (s *site) inTx(t *testing.T, run func(*db.Tx) error) {
	t.Helper()
	d, err := db.Open(t.Context(), db.Options{URL: (&program{environ: s.environ}).getenv("CREWLET_DATABASE_URL"), App: "test"})
	if err == nil {
		err = d.InTx(t.Context(), run)
		err = errors.Join(err, d.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// write changes the site's database.
func (s *site) write(t *testing.T, statement string, args ...any) {
	t.Helper()
	s.inTx(t, func(tx *db.Tx) error {
		_, err := tx.ExecContext(t.Context(), statement, args...)
		return err
	})
}

// number reads one number from the site's database.
func (s *site) number(t *testing.T, query string, args ...any) (n int) {
	t.Helper()
	s.inTx(t, func(tx *db.Tx) error { return tx.GetContext(t.Context(), &n, query, args...) })
	return n
}

// person adds somebody with the first administrator's password.
func (s *site) person(t *testing.T, login, name, grants string) {
	t.Helper()
	s.write(t, `
		INSERT INTO people (id, login, name, password, grants, created_at)
		SELECT gen_random_uuid(), $1, $2, password, $3::text[], now() FROM people WHERE login = 'ana.admin'`, login, name, grants)
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(60 * time.Second)
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited a minute: never did this hold: %s", what)
		}
	}
}
