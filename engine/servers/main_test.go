package servers

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
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

// serveTools is an MCP server with tools of the given names; what one does is
// in its name. "+resources" adds a resource, "+prompts" a prompt, and "+stray"
// prints what is no message. SIGUSR1 gives it one more tool.
func serveTools(names []string) {
	s := mcp.NewServer(&mcp.Implementation{Name: "tiny", Version: "1"}, &mcp.ServerOptions{Instructions: "Be gentle."})
	for _, name := range names {
		switch name {
		case "+resources":
			s.AddResource(&mcp.Resource{URI: "note://one", Name: "one", MIMEType: "text/plain"}, readNote)
		case "+stray":
			fmt.Printf("Hello!\nI am %s\n", os.Getenv("SAYS"))
		case "+prompts":
			s.AddPrompt(&mcp.Prompt{Name: "greet", Arguments: []*mcp.PromptArgument{{Name: "who"}}}, greet)
		default:
			addTool(s, name)
		}
	}
	grow := make(chan os.Signal, 1)
	signal.Notify(grow, syscall.SIGUSR1)
	go func() {
		for range grow {
			addTool(s, "grown")
		}
	}()
	if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// tinyArgs is what each tool takes.
type tinyArgs struct {
	Text string `json:"text"`
}

func addTool(s *mcp.Server, name string) {
	t := &mcp.Tool{Name: name, Description: "The tool " + name + ".\nOn two lines."}
	if name == "icon" {
		t.Meta = mcp.Meta{"made": "by hand"}
	}
	if strings.HasPrefix(name, "read_") {
		t.Annotations = &mcp.ToolAnnotations{ReadOnlyHint: true}
	}
	mcp.AddTool(s, t, func(ctx context.Context, _ *mcp.CallToolRequest, in tinyArgs) (*mcp.CallToolResult, any, error) {
		text := &mcp.TextContent{Text: name + " said " + in.Text + os.Getenv("SAYS")}
		switch {
		case strings.HasSuffix(name, "fail"):
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{text}}, nil, nil
		case strings.HasSuffix(name, "die"):
			os.Exit(7)
		case strings.HasSuffix(name, "hang"):
			<-ctx.Done()
		case strings.HasSuffix(name, "media"):
			return &mcp.CallToolResult{Content: []mcp.Content{
				text, &mcp.ImageContent{Data: []byte("img"), MIMEType: "image/png"}, &mcp.AudioContent{Data: []byte("snd"), MIMEType: "audio/wav"},
				&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "note://one", MIMEType: "text/plain", Text: "a note"}},
				&mcp.ResourceLink{URI: "note://two", Name: "two", MIMEType: "text/plain"},
			}}, nil, nil
		case strings.HasSuffix(name, "binary"):
			text.Text = strings.Repeat("\x00\x01\x02\x03", 10)
		case strings.HasSuffix(name, "huge"):
			text.Text = strings.Repeat("huge ", 1<<18)
		case strings.HasSuffix(name, "structured"):
			return nil, map[string]any{"answer": 42}, nil
		}
		return &mcp.CallToolResult{Content: []mcp.Content{text}}, nil, nil
	})
}

func readNote(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: "text/plain", Text: "a note"}}}, nil
}

func greet(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "Hello " + r.Params.Arguments["who"]}}}}, nil
}
