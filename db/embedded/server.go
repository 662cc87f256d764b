// Package embedded runs a PostgreSQL server of our own: made on first use,
// reached only through a unix socket, owned by one process at a time, started
// again when it dies alone, and ended with the program however that ends.
package embedded

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// startLimit is how long a command waits for somebody else's server, or for
// another command to be done with it.
const startLimit = 60 * time.Second

// Options says where the server lives and who may own it.
type Options struct {
	Dir     string       // its folder: data, socket, lock, log
	Bin     string       // the folder of postgres and initdb; empty: searched
	Serve   bool         // own it or be refused; otherwise attach to what serves
	Scratch bool         // data that may be lost: no fsync, more connections (tests)
	Log     *slog.Logger // nil logs nothing
}

// Server is a running server: owned by this process, or attached to.
type Server struct {
	dir, data, sock string
	scratch         bool
	log             *slog.Logger

	// Of an owned one only.
	own      *ownership
	account  account
	programs programs
	ready    chan error // the first start's outcome
	stopping context.CancelFunc
	done     chan struct{} // closed when the server and its supervisor are gone
	ended    error         // how it ended; read after done
	once     sync.Once
}

// Start returns a server that answers. Owning one, it makes the data folder if
// there is none; it never touches the data of another major version. It
// refuses a second Serve of the same folder. A command waits for another
// command that owns the folder, and attaches to a Serve.
func Start(ctx context.Context, o Options) (*Server, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Dir == "" {
		return nil, errors.New("the embedded postgres has no folder to live in")
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("the database's folder: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("make the database's folder: %w", err)
	}
	s := &Server{dir: dir, data: filepath.Join(dir, "data"), scratch: o.Scratch, log: o.Log}
	s.own, s.sock, err = claim(ctx, dir, o.Serve)
	if err != nil || s.own == nil {
		return s, err
	}
	if err := s.start(ctx, o.Bin); err != nil {
		s.own.release()
		return nil, err
	}
	return s, nil
}

// start makes what is missing and starts the server this process owns.
func (s *Server) start(ctx context.Context, bin string) error {
	if err := s.provide(ctx, bin); err != nil {
		return err
	}
	alive, stop := context.WithCancel(context.Background())
	s.stopping, s.done, s.ready = stop, make(chan struct{}), make(chan error, 1)
	go s.supervise(alive)
	select {
	case err := <-s.ready:
		if err != nil {
			<-s.done
		}
		return err
	case <-ctx.Done():
		stop()
		<-s.done
		return fmt.Errorf("the embedded postgres was still starting: %w", ctx.Err())
	}
}

// provide finds the account and the programs, and makes socket and data folder.
func (s *Server) provide(ctx context.Context, bin string) (err error) {
	if s.account, err = accountFor(s.data); err != nil {
		return err
	}
	if err := s.account.admit(s.dir); err != nil {
		return err
	}
	major, err := dataVersion(s.data)
	if err != nil {
		return err
	}
	if s.programs, err = newSearch(bin, s.dir).find(major); err != nil {
		return err
	}
	if err := s.account.reaches(s.programs.postgres()); err != nil {
		return err
	}
	if s.sock, err = socketFolder(s.dir, s.account); err != nil {
		return err
	}
	if err := s.own.tell(s.sock); err != nil {
		return err
	}
	if major == 0 {
		return s.initialise(ctx)
	}
	return nil
}

// URL is the address of the server's database, in the form of a postgres URL.
func (s *Server) URL() string { return s.url(databaseName) }

func (s *Server) url(database string) string {
	return address(s.sock, database)
}

func address(sock, database string) string {
	q := url.Values{"host": {sock}, "port": {port}, "user": {userName}, "sslmode": {"disable"}}
	return (&url.URL{Scheme: "postgres", Path: "/" + database, RawQuery: q.Encode(), Host: ""}).String()
}

// Stop ends the server if this process owns it, and waits until it is gone:
// clients are cut off, transactions rolled back, the data written.
func (s *Server) Stop() error {
	if s.own == nil {
		return nil
	}
	s.once.Do(func() {
		s.stopping()
		<-s.done
		forgetSocketFolder(s.dir, s.sock)
		s.own.release()
	})
	return s.ended
}
