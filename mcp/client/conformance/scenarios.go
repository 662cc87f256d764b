package main

import (
	"context"
	"encoding/json"
	"fmt"

	"crewlet/mcp/client"
)

// scenarios are those of the suite that need no OAuth.
var scenarios = map[string]func(context.Context, *session) error{
	"initialize":                          nothing,
	"request-metadata":                    nothing,
	"json-schema-ref-no-deref":            nothing,
	"tools_call":                          call("add_numbers", `{"a":5,"b":3}`),
	"elicitation-sep1034-client-defaults": call("test_client_elicitation_defaults", `{}`),
	"sse-retry":                           call("test_reconnection", `{}`),
	"json-schema-2020-12-preservation":    echoSchema,
	"sep-2322-client-request-state":       answerAndCarryOn,
	"http-standard-headers":               touchEverything,
	"http-custom-headers":                 callAsGiven,
	"http-invalid-tool-headers":           callWhatIsValid,
}

// answers are what a person would fill in, where a scenario asks somebody.
var answers = map[string]map[string]any{
	"elicitation-sep1034-client-defaults": {},
	"sep-2322-client-request-state":       {"confirmed": true},
}

// nothing more is asked than to connect and list.
func nothing(context.Context, *session) error { return nil }

func call(tool, args string) func(context.Context, *session) error {
	return func(ctx context.Context, s *session) error {
		_, err := s.pool.Call(ctx, s.key, tool, json.RawMessage(args))
		return err
	}
}

// echoSchema sends a listed schema back as it was kept.
func echoSchema(ctx context.Context, s *session) error {
	for _, t := range s.cat.Tools {
		if t.Name == "json_schema_2020_12_tool" {
			_, err := s.pool.Call(ctx, s.key, "json_schema_echo", json.RawMessage(`{"schema":`+string(t.InputSchema)+`}`))
			return err
		}
	}
	return fmt.Errorf("json_schema_2020_12_tool is not listed")
}

// answerAndCarryOn calls tools that ask for input; some of their answers are
// to be refused here, and the suite sees which.
func answerAndCarryOn(ctx context.Context, s *session) error {
	for _, name := range []string{"test_mrtr_echo_state", "test_mrtr_no_state", "test_mrtr_unrelated", "test_mrtr_no_result_type"} {
		if _, err := s.pool.Call(ctx, s.key, name, nil); err != nil {
			fmt.Printf("%s: %v\n", name, err)
		}
	}
	return nil
}

// touchEverything calls a tool, reads a resource and fills in a prompt.
func touchEverything(ctx context.Context, s *session) error {
	for _, t := range s.cat.Tools[:min(1, len(s.cat.Tools))] {
		if _, err := s.pool.Call(ctx, s.key, t.Name, nil); err != nil {
			return err
		}
	}
	var listed struct {
		Resources []struct{ URI string }
		Prompts   []struct{ Name string }
	}
	for _, list := range []func(context.Context, client.Key, string) (*client.Result, error){s.pool.Resources, s.pool.Prompts} {
		page, err := list(ctx, s.key, "")
		if err != nil {
			return err
		}
		if err := json.Unmarshal(page.Raw, &listed); err != nil {
			return err
		}
	}
	for _, r := range listed.Resources[:min(1, len(listed.Resources))] {
		if _, err := s.pool.ReadResource(ctx, s.key, r.URI); err != nil {
			return err
		}
	}
	for _, p := range listed.Prompts[:min(1, len(listed.Prompts))] {
		if _, err := s.pool.GetPrompt(ctx, s.key, p.Name, nil); err != nil {
			return err
		}
	}
	return nil
}

// callAsGiven makes the calls that the scenario lists.
func callAsGiven(ctx context.Context, s *session) error {
	for _, c := range s.given.ToolCalls {
		if _, err := s.pool.Call(ctx, s.key, c.Name, c.Arguments); err != nil {
			fmt.Printf("%s: %v\n", c.Name, err)
		}
	}
	return nil
}

// callWhatIsValid calls each tool that can be offered.
func callWhatIsValid(ctx context.Context, s *session) error {
	for _, t := range s.cat.Tools {
		if t.Invalid != "" {
			continue
		}
		if _, err := s.pool.Call(ctx, s.key, t.Name, nil); err != nil {
			fmt.Printf("%s: %v\n", t.Name, err)
		}
	}
	return nil
}
