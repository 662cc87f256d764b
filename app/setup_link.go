package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"crewlet/engine/refusal"
)

func setupLink(ctx context.Context, p *program, flags *flag.FlagSet, args []string) error {
	if _, done, err := p.parse(named("setup-link"), flags, args, 0, 0); done || err != nil {
		return err
	}
	return p.with(ctx, func(n *machine) error {
		link, err := n.freshSetupLink(ctx)
		if refusal.Is(err, refusal.Conflict) {
			return errors.New("somebody has an account already, so set-up is closed for good; sign in, or ask an administrator")
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(p.stdout, link)
		return err
	})
}

// with opens the node for one command and closes it after.
func (p *program) with(ctx context.Context, do func(*machine) error) error {
	n, err := p.open(ctx, attached)
	if err != nil {
		return err
	}
	return errors.Join(do(n), n.release(ctx))
}

func showVersion(_ context.Context, p *program, flags *flag.FlagSet, args []string) error {
	if _, done, err := p.parse(named("version"), flags, args, 0, 0); done || err != nil {
		return err
	}
	_, err := fmt.Fprintln(p.stdout, "crewlet", version)
	return err
}

// migrate needs no engine, but opening one says whether the node would start.
func migrate(ctx context.Context, p *program, flags *flag.FlagSet, args []string) error {
	if _, done, err := p.parse(named("migrate"), flags, args, 0, 0); done || err != nil {
		return err
	}
	return p.with(ctx, func(*machine) error {
		_, err := fmt.Fprintln(p.stdout, "The schema is up to date.")
		return err
	})
}
