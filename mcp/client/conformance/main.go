// Command conformance is the client that the protocol's own conformance suite
// drives: it connects to the address it is given with our client and does
// what the scenario named in the environment asks.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"crewlet/mcp/client"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: conformance ADDRESS, with MCP_CONFORMANCE_SCENARIO set")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1], os.Getenv); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run connects, does what the scenario asks, and ends the session.
func run(ctx context.Context, address string, getenv func(string) string) error {
	name := getenv("MCP_CONFORMANCE_SCENARIO")
	do, ok := scenarios[name]
	if !ok {
		return fmt.Errorf("the scenario %q is not known here", name)
	}
	var given setting
	if text := getenv("MCP_CONFORMANCE_CONTEXT"); text != "" {
		if err := json.Unmarshal([]byte(text), &given); err != nil {
			return fmt.Errorf("read the scenario's context: %w", err)
		}
	}
	s, err := connect(ctx, address, answers[name])
	if err != nil {
		return err
	}
	defer s.pool.Close(ctx)
	s.given = given
	return do(ctx, s)
}

// setting is what a scenario hands its client.
type setting struct {
	ToolCalls []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"toolCalls"`
}

// session is one connected server.
type session struct {
	pool  *client.Pool
	key   client.Key
	cat   *client.Catalogue
	given setting
}

// connect runs the server until it is up, or has failed.
func connect(ctx context.Context, address string, answer map[string]any) (*session, error) {
	moves := make(chan client.Report, 100)
	s := &session{key: client.Key{Server: "suite", Node: "node"}}
	options := client.Options{Version: "conformance", OnReport: func(r client.Report) { moves <- r }}
	if answer != nil {
		options.Elicit = func(context.Context, client.Elicitation) *client.Answer { return &client.Answer{Content: answer} }
	}
	s.pool = client.NewPool(options)
	s.pool.Apply([]client.Spec{{
		Key: s.key, Name: "suite", Transport: client.HTTP, URL: address, AllowLoopback: true,
	}})
	for {
		select {
		case r := <-moves:
			switch {
			case r.State == client.Running && r.Catalogue != nil:
				s.cat = r.Catalogue
				return s, nil
			case r.State == client.Failed:
				s.pool.Close(ctx)
				return nil, errors.New(r.Error)
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
