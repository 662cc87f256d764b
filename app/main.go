// Command crewlet is the whole program: the node that serves, and the commands
// an administrator gives on its host.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// version is set when a release is built.
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// Whoever read the log or the greeting may be gone: writing then fails, and
	// the program goes on.
	signal.Ignore(syscall.SIGPIPE)
	p := &program{
		environ: os.Environ(), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
	}
	// A second signal ends the program at once: the first one stopped listening.
	context.AfterFunc(ctx, stop)
	err := p.run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "crewlet:", says(err))
		os.Exit(exitCode(err))
	}
}
