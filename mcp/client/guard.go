package client

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Guard is the whole life of the hidden subcommand `crewlet guard`: it waits
// for the end of pipe, which the engine holds open and never writes to, then
// ends every process with the mark and returns. However the engine ended, the
// kernel closes its end of the pipe.
//
// The guard has a session of its own and no mark, and lets no polite signal
// end it: whoever stops the engine's group must not stop what cleans up
// after it.
func Guard(mark string, pipe *os.File) error {
	signal.Ignore(syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGPIPE)
	// Anything but the end would mean that somebody else writes: keep waiting.
	_, _ = io.Copy(io.Discard, pipe)
	// A child still between fork and exec shows its mark a moment later, so
	// one look that finds nothing is not enough.
	for clean := 0; clean < 2; {
		ended, err := Sweep(context.Background(), mark+".")
		if err != nil {
			return err
		}
		clean++
		if ended > 0 {
			clean = 0
		}
		time.Sleep(scanPause)
	}
	return nil
}
