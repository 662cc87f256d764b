package servers

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"crewlet/db/dbtest"
	"crewlet/mcp/client"
)

// TestMain lets the test binary also be the guard and the servers that the
// tests declare.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case "guard":
			if err := client.Guard(os.Args[2], os.Stdin); err != nil {
				os.Exit(1)
			}
			os.Exit(0)
		case "tools":
			serveTools(os.Args[2:])
			os.Exit(0)
		}
	}
	dbtest.Main(m)
}

// serveTools is an MCP server with tools of the given names. SIGUSR1 gives it
// one more.
func serveTools(names []string) {
	s := mcp.NewServer(&mcp.Implementation{Name: "tiny", Version: "1"}, nil)
	add := func(name string) {
		mcp.AddTool(s, &mcp.Tool{Name: name, Description: "The tool " + name + ".\nOn two lines."},
			func(context.Context, *mcp.CallToolRequest, struct {
				Text string `json:"text"`
			},
			) (*mcp.CallToolResult, any, error) {
				return &mcp.CallToolResult{}, nil, nil
			})
	}
	for _, name := range names {
		add(name)
	}
	grow := make(chan os.Signal, 1)
	signal.Notify(grow, syscall.SIGUSR1)
	go func() {
		for range grow {
			add("grown")
		}
	}()
	if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
