package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"crewlet/config/document"
	"crewlet/config/nearest"
	"crewlet/engine/company"
	"crewlet/engine/servers"
	"crewlet/engine/tool"
)

const mcpTestHelp = "It is started by this command, with this command's environment and the stored secrets; what serves is not touched."

func mcpTest(ctx context.Context, p *program, flags *flag.FlagSet, args []string) error {
	rest, done, err := p.parse(named("mcp test"), flags, args, 1, 1)
	if done || err != nil {
		return err
	}
	n, err := p.open(ctx, launching)
	if err != nil {
		return err
	}
	return errors.Join(n.try(ctx, p, rest[0]), n.release(ctx))
}

// try starts a declared server once and tells what came of it.
func (n *machine) try(ctx context.Context, p *program, name string) error {
	now, err := tool.Do(ctx, n.engine.Run, n.engine.Company.GetConfig, call(), company.GetConfig{})
	if err != nil {
		return err
	}
	fields, ok, err := company.Declared(now.Text, name)
	if err != nil {
		return err
	}
	if !ok {
		return errors.New(undeclared(now.Text, name))
	}
	entry, err := json.Marshal(fields)
	if err != nil {
		return fmt.Errorf("encode the declaration of %s: %w", name, err)
	}
	tried, err := tool.Do(ctx, n.engine.Run, n.engine.Servers.Try, call(), servers.TryServer{Name: name, Entry: entry})
	if err != nil {
		return err
	}
	return p.tellTried(name, tried)
}

func undeclared(text, name string) string {
	var known []string
	if doc, problems := document.Parse([]byte(text)); len(problems) == 0 {
		for _, s := range doc.MCPServers {
			known = append(known, s.Name)
		}
	}
	if near := nearest.Name(name, known); near != "" {
		return fmt.Sprintf("No server %s is declared. Did you mean %s?", name, near)
	}
	return fmt.Sprintf("No server %s is declared; \"crewlet mcp list\" shows those there are.", name)
}

// tellTried prints the tools, or why there are none.
func (p *program) tellTried(name string, tried servers.Tried) error {
	took := (time.Duration(tried.TookMS) * time.Millisecond).Round(10 * time.Millisecond)
	if !tried.OK {
		for _, line := range tried.StderrTail {
			fmt.Fprintln(p.stderr, "  |", visible(line))
		}
		return fmt.Errorf("%s: %s", name, visible(tried.Says))
	}
	fmt.Fprintf(p.stdout, "%s: %s It took %s.\n", name, visible(tried.Says), took)
	w := tabwriter.NewWriter(p.stdout, 0, 4, 2, ' ', 0)
	for _, t := range tried.Tools {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", visible(t.Name), t.Hint, firstLine(t))
	}
	return w.Flush()
}

// visible is what a server said, with nothing in it that a terminal obeys.
func visible(text string) string {
	shown, _ := servers.Visible(text)
	return shown
}

// firstLine is what a tool does, on one line of a terminal.
func firstLine(t servers.ToolBrief) string {
	const most = 80
	says := t.Title
	if t.Invalid != "" {
		says = "not offered: " + t.Invalid
	} else if says == "" {
		says = t.Description
	}
	says = visible(strings.Join(strings.Fields(says), " "))
	if t.Invisible {
		says = "(holds invisible characters) " + says
	}
	if r := []rune(says); len(r) > most {
		says = string(r[:most]) + "…"
	}
	return says
}
