package main

import (
	"context"
	"flag"
	"os"

	"crewlet/mcp/client"
)

// guard is not for people: the engine starts it to end every child should the
// engine itself be killed. It waits for the end of the pipe that is
// its standard input.
func guard(_ context.Context, _ *program, _ *flag.FlagSet, args []string) error {
	if len(args) != 1 {
		return usage{"guard is started by the engine alone."}
	}
	return client.Guard(args[0], os.Stdin)
}
