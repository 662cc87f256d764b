package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net/url"

	"crewlet/mcp/bridge"
)

const mcpServeHelp = "For MCP clients that start a program instead of calling an address. It forwards every message to CREWLET_URL\nwith the token of CREWLET_TOKEN (Settings › Tokens), writes the protocol alone to standard output and what it\nhas to say to standard error, and ends with its standard input. For example:\n  claude mcp add crewlet --env CREWLET_URL=https://crewlet.example.com --env CREWLET_TOKEN=… -- crewlet mcp serve"

func mcpServe(ctx context.Context, p *program, flags *flag.FlagSet, args []string) error {
	seat := flags.Bool("seat", false, "be the seat of a seat's own token, instead of a person's assistant")
	verbose := flags.Bool("verbose", false, "say on standard error which messages pass")
	if _, done, err := p.parse(named("mcp serve"), flags, args, 0, 0); done || err != nil {
		return err
	}
	node, err := p.nodeURL()
	if err != nil {
		return err
	}
	token := p.getenv("CREWLET_TOKEN")
	if token == "" {
		return usage{"CREWLET_TOKEN is not set. Mint a token under Settings › Tokens, and hand it over in the environment."}
	}
	o := bridge.Options{
		URL: node.JoinPath("operator", "mcp").String(), Token: token, In: p.stdin, Out: p.stdout,
		Missing: fmt.Sprintf("There is no MCP door at %s. Does CREWLET_URL name a Crewlet node, and nothing after its address?", node),
	}
	if *seat {
		o.URL = node.JoinPath("seat", "mcp").String()
		o.Missing = fmt.Sprintf("The node at %s has no door for seats: its version does not serve them yet. Leave out --seat for a person's own tools.", node)
	}
	level := slog.LevelWarn
	if *verbose {
		level = slog.LevelDebug
	}
	o.Log = slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: level}))
	return bridge.Run(ctx, o)
}

// nodeURL is the address client commands go to.
func (p *program) nodeURL() (*url.URL, error) {
	text := p.getenv("CREWLET_URL")
	if text == "" {
		return nil, usage{"CREWLET_URL is not set. It is the address of a node, such as https://crewlet.example.com or http://127.0.0.1:8080."}
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return nil, usage{"CREWLET_URL is the address of a node, such as https://crewlet.example.com or http://127.0.0.1:8080, with nothing else in it."}
	}
	return u, nil
}
