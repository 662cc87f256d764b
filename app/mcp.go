package main

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"text/tabwriter"

	"crewlet/engine/company"
	"crewlet/engine/servers"
	"crewlet/engine/tool"
)

func mcpList(ctx context.Context, p *program, flags *flag.FlagSet, args []string) error {
	if _, done, err := p.parse(named("mcp list"), flags, args, 0, 0); done || err != nil {
		return err
	}
	return p.with(ctx, func(n *machine) error {
		all, err := tool.Do(ctx, n.engine.Run, n.engine.Servers.ListServers, call(), servers.ListServers{})
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(p.stdout, 0, 4, 2, ' ', 0)
		for _, s := range all.Servers {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", s.Name, s.State, toolCount(s), reached(s), visible(s.Reason))
		}
		if len(all.Servers) == 0 {
			fmt.Fprintln(p.stderr, "No server is declared. \"crewlet mcp add -h\" says how one is.")
		}
		return w.Flush()
	})
}

// toolCount is how many tools a server has, as its page counts them.
func toolCount(s servers.Server) string {
	says := fmt.Sprintf("%d tools", s.Tools)
	if s.Utilities > 0 {
		says += fmt.Sprintf(" and %d for resources and prompts", s.Utilities)
	}
	return says
}

// reached is how a server is started or reached, on one line.
func reached(s servers.Server) string {
	if s.URL != "" {
		return s.URL
	}
	return strings.Join(append([]string{s.Command}, s.Args...), " ")
}

const mcpRemoveHelp = "Refused while something names it, unless --with-references takes those places out too."

func mcpRemove(ctx context.Context, p *program, flags *flag.FlagSet, args []string) error {
	with := flags.Bool("with-references", false, "take out what names the server as well: mcp_env blocks, allowlists")
	summary := flags.String("summary", "", "why, for the history")
	rest, done, err := p.parse(named("mcp remove"), flags, args, 1, 1)
	if done || err != nil {
		return err
	}
	if *summary == "" {
		*summary = "Remove the server " + rest[0] + " at the terminal"
	}
	return p.with(ctx, func(n *machine) error {
		in := company.RemoveServer{Name: rest[0], WithReferences: *with, Writing: company.Writing{Summary: *summary}}
		wrote, err := tool.Do(ctx, n.engine.Run, n.engine.Company.RemoveServer, call(), in)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.stdout, "%s is removed. This is revision %d now.\n", rest[0], wrote.RevisionID)
		return err
	})
}
