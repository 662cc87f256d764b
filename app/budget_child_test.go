//go:build bench

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// benchServer is the child of the benchmarks: a small MCP server with one tool
// that only reads, one that does not say so, and more of 1 KB each, so that it
// has that many in all.
func benchServer(count string) error {
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "bench_look", Description: "Says it back.", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, sayBack)
	mcp.AddTool(s, &mcp.Tool{Name: "bench_note", Description: "Says it back, and who knows what else."}, sayBack)
	for i := 2; i < n; i++ {
		s.AddTool(kilobyte(fmt.Sprintf("bench_%04d", i)), func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{}, nil
		})
	}
	return s.Run(context.Background(), &mcp.StdioTransport{})
}

type sayBackArgs struct {
	Text string `json:"text"`
}

func sayBack(_ context.Context, _ *mcp.CallToolRequest, in sayBackArgs) (*mcp.CallToolResult, any, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: in.Text}}}, nil, nil
}

// kilobyte is a tool of about 1 KB: a description and a schema of eight
// arguments.
func kilobyte(name string) *mcp.Tool {
	properties := map[string]any{}
	for _, argument := range []string{"project", "title", "body", "labels", "assignee", "due", "priority", "parent"} {
		properties[argument] = map[string]any{"type": "string", "description": "The " + argument + " of what is filed, as people write it."}
	}
	return &mcp.Tool{
		Name: name, Description: strings.Repeat("It files one thing among many. ", 6),
		InputSchema: map[string]any{"type": "object", "properties": properties, "required": []string{"title"}},
	}
}

// declaredChild is the entry of such a server in a company document.
func declaredChild(name string, count int) string {
	return fmt.Sprintf("  - {name: %s, command: %q, args: [bench-server, %q]}\n", name, os.Args[0], strconv.Itoa(count))
}

// libraryChild is the command of the same server, for the library alone.
func libraryChild(ctx context.Context, count int) *exec.Cmd {
	return exec.CommandContext(ctx, os.Args[0], "bench-server", strconv.Itoa(count))
}
