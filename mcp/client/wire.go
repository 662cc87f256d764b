package client

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// wire is what carries the messages of one session: a child's pipes, or HTTP
// in one of its two forms. It is the SDK's transport and connection at once,
// since there is one connection per link.
type wire interface {
	mcp.Transport
	mcp.Connection
	// results is where raw results are asked for.
	results() *tap
	// probe makes it refuse the SDK's `initialize` after a failed discover:
	// that belongs on a fresh connection.
	probe()
	// failure is why it ended, when we know.
	failure() error
	// goodbye tells the server, within a limit, that nothing more will come.
	goodbye(clock Clock, hurry <-chan struct{})
	// finish returns when no goroutine of a closed wire is left.
	finish()
}
