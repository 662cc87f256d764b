package conformance

import (
	"context"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"crewlet/mcp/door"
)

// ask is one thing a tool wants from its caller before it can end.
func ask(b *server.InputRequestBuilder, id string) *server.InputRequestBuilder {
	switch id {
	case "greeting", "capital_question":
		return b.Sample(id, mcp.CreateMessageParams{
			Messages: []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: mcp.NewTextContent("What is the capital of France?")}}, MaxTokens: 100,
		})
	case "client_roots":
		return b.Roots(id)
	}
	field := map[string]string{"confirm": "ok", "step2": "color", "user_context": "context"}[id]
	kind := "string"
	if field == "ok" {
		kind = "boolean"
	}
	if field == "" {
		field = "name"
	}
	return b.Elicit(id, mcp.ElicitationParams{Message: "What is your " + field + "?", RequestedSchema: map[string]any{
		"type": "object", "properties": map[string]any{field: map[string]any{"type": kind}}, "required": []string{field},
	}})
}

// answered reports whether every one of these was answered in a usable way.
func answered(in mcp.MultiRoundTripParams, ids ...string) bool {
	for _, id := range ids {
		response, there := in.InputResponses[id]
		if !there {
			return false
		}
		switch id {
		case "greeting", "capital_question":
			if response.DecodeFor(mcp.MethodSamplingCreateMessage) != nil {
				return false
			}
		case "client_roots":
			if response.DecodeFor(mcp.MethodListRoots) != nil {
				return false
			}
		default:
			content, _ := elicited(in, id)
			if len(content) == 0 {
				return false
			}
		}
	}
	return true
}

func elicited(in mcp.MultiRoundTripParams, id string) (map[string]any, bool) {
	response := in.InputResponses[id]
	if response.DecodeFor(mcp.MethodElicitationCreate) != nil || response.Elicitation == nil || response.Elicitation.Action != mcp.ElicitationResponseActionAccept {
		return nil, false
	}
	content, ok := response.Elicitation.Content.(map[string]any)
	if name, named := content["name"]; named && name == "" || !ok {
		return nil, false
	}
	if name, named := content["name"]; named {
		if _, text := name.(string); !text {
			return nil, false
		}
	}
	return content, true
}

// furnishInputs offers tools that end only when their caller answered.
func furnishInputs(d *door.Door) {
	for name, ids := range map[string][]string{
		"test_input_required_result_elicitation":     {"user_name"},
		"test_input_required_result_sampling":        {"capital_question"},
		"test_input_required_result_list_roots":      {"client_roots"},
		"test_input_required_result_request_state":   {"confirm"},
		"test_input_required_result_tampered_state":  {"confirm"},
		"test_input_required_result_multiple_inputs": {"user_name", "greeting", "client_roots"},
	} {
		offer(d, name, func(_ context.Context, asked mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			in := asked.Params.MultiRoundTripParams
			if strings.HasSuffix(in.RequestState, "-TAMPERED") {
				return nil, fmt.Errorf("invalid requestState")
			}
			if answered(in, ids...) {
				content, _ := elicited(in, ids[0])
				return mcp.NewToolResultText(fmt.Sprintf("state-ok: answered %v", content)), nil
			}
			b := server.NewInputRequestBuilder("state")
			for _, id := range ids {
				b = ask(b, id)
			}
			return b.ToolResult(), nil
		})
	}
	offer(d, "test_input_required_result_multi_round", multiRound)
	offer(d, "test_input_required_result_capabilities", byCapability)
	d.MCP().AddPrompt(mcp.NewPrompt("test_input_required_result_prompt", mcp.WithPromptDescription("For the conformance suite.")),
		func(_ context.Context, asked mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			if content, ok := elicited(asked.Params.MultiRoundTripParams, "user_context"); ok {
				return mcp.NewGetPromptResult("", []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(fmt.Sprint(content["context"])))}), nil
			}
			return ask(server.NewInputRequestBuilder(""), "user_context").PromptResult(), nil
		})
}

// multiRound asks twice; what it learned first is in its state.
func multiRound(_ context.Context, asked mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	in := asked.Params.MultiRoundTripParams
	name, second := strings.CutPrefix(in.RequestState, "round=2;name=")
	switch {
	case in.RequestState == "":
		return ask(server.NewInputRequestBuilder("round=1"), "step1").ToolResult(), nil
	case !second:
		content, _ := elicited(in, "step1")
		return ask(server.NewInputRequestBuilder(fmt.Sprint("round=2;name=", content["name"])), "step2").ToolResult(), nil
	default:
		content, _ := elicited(in, "step2")
		return mcp.NewToolResultText(fmt.Sprintf("%s likes %v", name, content["color"])), nil
	}
}

// byCapability asks only for what the caller said it can give.
func byCapability(ctx context.Context, asked mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if len(asked.Params.InputResponses) > 0 {
		return mcp.NewToolResultText("Answered."), nil
	}
	b := server.NewInputRequestBuilder("")
	can, asks := server.RequestProtocolInfoFromContext(ctx).ClientCapabilities, false
	for id, able := range map[string]bool{
		"user_name": can != nil && can.Elicitation != nil, "greeting": can != nil && can.Sampling != nil, "client_roots": can != nil && can.Roots != nil,
	} {
		if able {
			b, asks = ask(b, id), true
		}
	}
	if !asks {
		return mcp.NewToolResultText("You can give nothing."), nil
	}
	return b.ToolResult(), nil
}
