package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"crewlet/mcp/door"
)

// An image of one pixel and a sound of silence.
const (
	image = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
	sound = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
)

// furnish offers what the suite looks for, beside the catalogue.
func furnish(d *door.Door) {
	for name, content := range map[string][]mcp.Content{
		"test_simple_text":            {mcp.NewTextContent("This is a simple text response for testing.")},
		"test_image_content":          {mcp.NewImageContent(image, "image/png")},
		"test_audio_content":          {mcp.NewAudioContent(sound, "audio/wav")},
		"test_embedded_resource":      {embedded("test://embedded-resource", "This is an embedded resource content.")},
		"test_multiple_content_types": {mcp.NewTextContent("Multiple content types test:"), mcp.NewImageContent(image, "image/png"), embedded("test://mixed-content-resource", "{}")},
	} {
		offer(d, name, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: content}, nil
		})
	}
	offer(d, "test_error_handling", func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultError("This tool intentionally returns an error for testing"), nil
	})
	offer(d, "test_tool_with_logging", func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return say(ctx, d, string(mcp.MethodNotificationMessage), []map[string]any{
			{"level": "info", "data": "Tool execution started"}, {"level": "info", "data": "Tool processing data"}, {"level": "info", "data": "Tool execution completed"},
		})
	})
	offer(d, "test_tool_with_progress", func(ctx context.Context, asked mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var steps []map[string]any
		for _, at := range []int{0, 50, 100} {
			steps = append(steps, map[string]any{"progressToken": asked.Params.Meta.ProgressToken, "progress": at, "total": 100})
		}
		return say(ctx, d, string(mcp.MethodNotificationProgress), steps)
	})
	furnishResources(d.MCP())
	furnishPrompts(d.MCP())
	furnishInputs(d)
}

func offer(d *door.Door, name string, run server.ToolHandlerFunc) {
	d.MCP().AddTools(server.ServerTool{Tool: mcp.NewToolWithRawSchema(name, "For the conformance suite.", json.RawMessage(`{"type":"object"}`)), Handler: run})
}

func embedded(address, text string) mcp.Content {
	return mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: address, MIMEType: "text/plain", Text: text})
}

// say sends notifications as a tool at work does, a moment apart.
func say(ctx context.Context, d *door.Door, method string, all []map[string]any) (*mcp.CallToolResult, error) {
	for i, params := range all {
		if i > 0 {
			<-time.After(50 * time.Millisecond)
		}
		if err := d.Notify(ctx, method, params); err != nil {
			return mcp.NewToolResultError(err.Error()), nil
		}
	}
	return mcp.NewToolResultText("All was said."), nil
}

func furnishResources(s *server.MCPServer) {
	s.AddResource(mcp.NewResource("test://static-text", "static-text", mcp.WithResourceDescription("Text."), mcp.WithMIMEType("text/plain")),
		func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: "test://static-text", MIMEType: "text/plain", Text: "This is the content of the static text resource."}}, nil
		})
	s.AddResource(mcp.NewResource("test://static-binary", "static-binary", mcp.WithResourceDescription("A picture."), mcp.WithMIMEType("image/png")),
		func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{mcp.BlobResourceContents{URI: "test://static-binary", MIMEType: "image/png", Blob: image}}, nil
		})
	s.AddResource(mcp.NewResource("test://watched-resource", "watched-resource", mcp.WithResourceDescription("Watched."), mcp.WithMIMEType("text/plain")),
		func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: "test://watched-resource", MIMEType: "text/plain", Text: "Watched."}}, nil
		})
	s.AddResourceTemplate(mcp.NewResourceTemplate("test://template/{id}/data", "template", mcp.WithTemplateDescription("By id."), mcp.WithTemplateMIMEType("application/json")),
		func(_ context.Context, asked mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			id := strings.TrimSuffix(strings.TrimPrefix(asked.Params.URI, "test://template/"), "/data")
			return []mcp.ResourceContents{mcp.TextResourceContents{
				URI: asked.Params.URI, MIMEType: "application/json", Text: fmt.Sprintf(`{"id":%q,"templateTest":true,"data":"Data for ID: %s"}`, id, id),
			}}, nil
		})
}

func furnishPrompts(s *server.MCPServer) {
	argument := func(name string) mcp.PromptOption {
		return mcp.WithArgument(name, mcp.ArgumentDescription("Anything."), mcp.RequiredArgument())
	}
	prompt := func(name string, says func(map[string]string) []mcp.Content, arguments ...mcp.PromptOption) {
		s.AddPrompt(mcp.NewPrompt(name, append(arguments, mcp.WithPromptDescription("For the conformance suite."))...),
			func(_ context.Context, asked mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				var messages []mcp.PromptMessage
				for _, content := range says(asked.Params.Arguments) {
					messages = append(messages, mcp.NewPromptMessage(mcp.RoleUser, content))
				}
				return mcp.NewGetPromptResult("", messages), nil
			})
	}
	prompt("test_simple_prompt", func(map[string]string) []mcp.Content {
		return []mcp.Content{mcp.NewTextContent("This is a simple prompt for testing.")}
	})
	prompt("test_prompt_with_arguments", func(in map[string]string) []mcp.Content {
		return []mcp.Content{mcp.NewTextContent(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", in["arg1"], in["arg2"]))}
	}, argument("arg1"), argument("arg2"))
	prompt("test_prompt_with_embedded_resource", func(in map[string]string) []mcp.Content {
		return []mcp.Content{embedded(in["resourceUri"], "Embedded resource content for testing."), mcp.NewTextContent("Please process the embedded resource above.")}
	}, argument("resourceUri"))
	prompt("test_prompt_with_image", func(map[string]string) []mcp.Content {
		return []mcp.Content{mcp.NewImageContent(image, "image/png"), mcp.NewTextContent("Please analyze the image above.")}
	})
}
