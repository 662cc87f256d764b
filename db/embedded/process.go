package embedded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

const (
	readyBeat   = 5 * time.Millisecond
	orphanLimit = 30 * time.Second // for what a killed server left running
	orphanBeat  = 100 * time.Millisecond
	stopLimit   = 20 * time.Second
	quitLimit   = 10 * time.Second
	logLimit    = 8 << 20 // bytes, then the file is set aside
	againAfter  = time.Second
)

// supervise keeps the server running until ctx ends. Its thread is its own for
// as long as the server lives: the parent-death signal comes when the thread
// that started a child ends, not the process.
func (s *Server) supervise(ctx context.Context) {
	defer close(s.done)
	runtime.LockOSThread()
	for first := true; ; first = false {
		p, err := s.launch(ctx)
		if first {
			s.ready <- err
		}
		if err != nil && (first || ctx.Err() != nil) {
			return
		}
		if err != nil {
			s.log.Error("the embedded postgres does not start; trying again", "err", err)
			wait(ctx, againAfter)
			continue
		}
		select {
		case <-p.exited:
			s.log.Error("the embedded postgres ended by itself; starting it again", "how", p.how)
		case <-ctx.Done():
			s.ended = p.stop()
			return
		}
	}
}

// launch starts the server and returns when it answers. A start that fails
// over what a killed server left behind is tried again for 30 s.
func (s *Server) launch(ctx context.Context) (*process, error) {
	limit := time.Now().Add(orphanLimit)
	for {
		p, said, err := s.attempt(ctx)
		if err == nil || ctx.Err() != nil {
			return p, err
		}
		if !leftover(said) {
			return nil, err
		}
		if time.Now().After(limit) {
			return nil, fmt.Errorf("what an earlier server left behind is still at work after %s; end the postgres processes of %s: %w", orphanLimit, s.data, err)
		}
		s.log.Info("waiting for what an earlier postgres left running", "data", s.data)
		wait(ctx, orphanBeat)
	}
}

// leftover tells whether a start failed over a server that is not gone yet.
func leftover(said string) bool {
	return strings.Contains(said, "pre-existing shared memory block") || strings.Contains(said, `lock file "`)
}

// attempt starts the server once; said is what it wrote when that failed.
func (s *Server) attempt(ctx context.Context) (p *process, said string, err error) {
	if err := s.clearStale(); err != nil {
		return nil, "", err
	}
	log, from, err := s.openLog()
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = log.Close() }()
	if p, err = start(s.command(log)); err != nil {
		return nil, "", fmt.Errorf("start the embedded postgres: %w", err)
	}
	beat := time.NewTicker(readyBeat)
	defer beat.Stop()
	for {
		select {
		case <-p.exited:
			said = written(log, from)
			return nil, said, fmt.Errorf("the embedded postgres did not start: %s", lastLines(said))
		case <-ctx.Done():
			return nil, "", cmp.Or(p.stop(), ctx.Err())
		case <-beat.C:
		}
		err := s.prepare(ctx)
		if err == nil {
			return p, "", nil
		}
		if !starting(err) {
			_ = p.stop()
			return nil, "", err
		}
	}
}

func (s *Server) command(log *os.File) *exec.Cmd {
	args := []string{"-D", s.data, "-k", s.sock, "-p", port,
		"-c", "listen_addresses=", "-c", "logging_collector=off", "-c", "log_timezone=UTC",
		"-c", "unix_socket_permissions=0700", "-c", "dynamic_shared_memory_type=mmap"}
	if s.scratch {
		args = append(args, "-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off",
			"-c", "max_connections=400", "-c", "autovacuum=off")
	}
	cmd := exec.Command(s.programs.postgres(), args...)
	cmd.Dir, cmd.Env = "/", environment()
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = s.account.attributes(syscall.SIGINT)
	return cmd
}

// openLog opens the server's log and says where its next line will stand.
func (s *Server) openLog() (*os.File, int64, error) {
	name := filepath.Join(s.dir, "log")
	if info, err := os.Stat(name); err == nil && info.Size() > logLimit {
		_ = os.Rename(name, name+".1")
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, 0, fmt.Errorf("open the database's log: %w", err)
	}
	end, err := f.Seek(0, io.SeekEnd)
	if err == nil {
		err = s.account.give(name) // who may run the program next, without root
	}
	if err != nil {
		return nil, 0, errors.Join(fmt.Errorf("open the database's log: %w", err), f.Close())
	}
	return f, end, nil
}

func written(log *os.File, from int64) string {
	text, _ := io.ReadAll(io.NewSectionReader(log, from, logLimit))
	return string(text)
}

func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// process is one run of the server.
type process struct {
	pid    int
	exited chan struct{}
	how    error // read after exited
}

func start(cmd *exec.Cmd) (*process, error) {
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{pid: cmd.Process.Pid, exited: make(chan struct{})}
	go func() {
		defer close(p.exited)
		p.how = cmd.Wait()
	}()
	return p, nil
}

// stop asks for a fast shutdown, then for an immediate one, then insists.
func (p *process) stop() error {
	for _, way := range []struct {
		signal syscall.Signal
		limit  time.Duration
	}{{syscall.SIGINT, stopLimit}, {syscall.SIGQUIT, quitLimit}, {syscall.SIGKILL, quitLimit}} {
		select {
		case <-p.exited: // its number may be somebody else's by now
			return nil
		default:
			_ = syscall.Kill(p.pid, way.signal)
		}
		t := time.NewTimer(way.limit)
		select {
		case <-p.exited:
			t.Stop()
			if way.signal != syscall.SIGINT {
				return fmt.Errorf("the server did not stop within %s and was ended by %s; it will recover at the next start", stopLimit, way.signal)
			}
			return nil
		case <-t.C:
		}
	}
	return fmt.Errorf("process %d does not end", p.pid)
}
