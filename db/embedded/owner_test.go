package embedded

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// refused is what a start says that must not succeed.
func refused(t *testing.T, o Options) string {
	t.Helper()
	s, err := Start(t.Context(), o)
	if err == nil {
		must(t, s.Stop())
		t.Fatal("it was not refused")
	}
	return err.Error()
}

func TestASecondServeIsRefused(t *testing.T) {
	t.Parallel()
	dir := seeded(t, -1)
	begin(t, dir, true)
	if says := refused(t, Options{Dir: dir, Serve: true}); !strings.Contains(says, "already serves from "+dir) {
		t.Errorf("it says %q", says)
	}
}

func TestACommandAttachesToAServe(t *testing.T) {
	t.Parallel()
	dir := seeded(t, -1)
	serve := begin(t, dir, true)
	command := begin(t, dir, false)
	if command.URL() != serve.URL() {
		t.Errorf("attached to %s, not to %s", command.URL(), serve.URL())
	}
	must(t, command.Stop())
	must(t, answers(t.Context(), serve.sock)) // it is not the command's to stop
}

func TestACommandOwnsWhatNothingServes(t *testing.T) {
	t.Parallel()
	for name, serve := range map[string]bool{"a serve waits": true, "another command waits": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := seeded(t, -1)
			first := begin(t, dir, false)
			remember(t, first.URL())
			next := make(chan error, 1)
			var second *Server
			go func() {
				var err error
				second, err = Start(t.Context(), Options{Dir: dir, Serve: serve})
				next <- err
			}()
			must(t, answers(t.Context(), first.sock)) // undisturbed
			must(t, first.Stop())
			must(t, <-next)
			remembered(t, second.URL())
			must(t, second.Stop())
		})
	}
}

func TestWaitingForAnotherOwnerEndsWithTheContext(t *testing.T) {
	t.Parallel()
	dir := seeded(t, -1)
	begin(t, dir, false)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := Start(ctx, Options{Dir: dir, Serve: true}); err == nil || ctx.Err() == nil {
		t.Errorf("%v", err)
	}
}

func TestALockFileAKilledHolderLeft(t *testing.T) {
	t.Parallel()
	dir := seeded(t, -1)
	must(t, os.WriteFile(filepath.Join(dir, "lock"), []byte("serve 4194303 /nowhere\n"), 0o644))
	must(t, answers(t.Context(), begin(t, dir, true).sock))
}
