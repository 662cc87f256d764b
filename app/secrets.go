package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"crewlet/engine/secrets"
	"crewlet/engine/tool"
)

// list gathers a flag that may be given several times.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

// Set takes one more.
func (l *list) Set(text string) error {
	*l = append(*l, text)
	return nil
}

func secretsSet(ctx context.Context, p *program, flags *flag.FlagSet, args []string) error {
	var hosts list
	flags.Var(&hosts, "host", "a host the value may be sent to, several times; none keeps the list there is, and * lifts it")
	rest, done, err := p.parse(named("secrets set"), flags, args, 1, 1)
	if done || err != nil {
		return err
	}
	value, err := io.ReadAll(io.LimitReader(p.stdin, secrets.MaxValue+2))
	if err != nil {
		return fmt.Errorf("read the value from standard input: %w", err)
	}
	text := strings.TrimSuffix(strings.TrimSuffix(string(value), "\n"), "\r")
	if text == "" {
		return errors.New("standard input held no value; for example: printf %s \"$TOKEN\" | crewlet secrets set " + rest[0])
	}
	return p.with(ctx, func(n *machine) error {
		s, err := tool.Do(ctx, n.engine.Run, n.engine.Secrets.Set, call(), secrets.SetSecret{Name: rest[0], Value: text, Hosts: hosts})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.stdout, "%s is stored (version %d).\n", s.Name, s.Version)
		return err
	})
}

func secretsList(ctx context.Context, p *program, flags *flag.FlagSet, args []string) error {
	if _, done, err := p.parse(named("secrets list"), flags, args, 0, 0); done || err != nil {
		return err
	}
	return p.with(ctx, func(n *machine) error {
		all, err := tool.Do(ctx, n.engine.Run, n.engine.Secrets.List, call(), secrets.ListSecrets{})
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(p.stdout, 0, 4, 2, ' ', 0)
		for _, s := range all.Secrets {
			fmt.Fprintf(w, "%s\tversion %d\t%s\t%s\t%s\n", s.Name, s.Version, s.SetAt.Format("2006-01-02 15:04"), s.SetBy, strings.Join(s.References, ", "))
		}
		for _, m := range all.Missing {
			fmt.Fprintf(w, "%s\tnot stored\t\t\t%s\n", m.Name, strings.Join(m.References, ", "))
		}
		return w.Flush()
	})
}

func secretsRemove(ctx context.Context, p *program, flags *flag.FlagSet, args []string) error {
	anyway := flags.Bool("anyway", false, "delete although something still refers to it")
	rest, done, err := p.parse(named("secrets remove"), flags, args, 1, 1)
	if done || err != nil {
		return err
	}
	return p.with(ctx, func(n *machine) error {
		s, err := tool.Do(ctx, n.engine.Run, n.engine.Secrets.Delete, call(), secrets.DeleteSecret{Name: rest[0], Anyway: *anyway})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.stdout, "%s is deleted.\n", s.Name)
		return err
	})
}

func secretsRekey(ctx context.Context, p *program, flags *flag.FlagSet, args []string) error {
	if _, done, err := p.parse(named("secrets rekey"), flags, args, 0, 0); done || err != nil {
		return err
	}
	return p.with(ctx, func(n *machine) error {
		out, err := tool.Do(ctx, n.engine.Run, n.engine.Secrets.Rekey, call(), secrets.RekeySecrets{})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.stdout, "Sealed anew: %d.\n", out.Count)
		return err
	})
}
