package main

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"crewlet/engine/identity"
	"crewlet/engine/tool"
)

func tokenCreate(ctx context.Context, p *program, flags *flag.FlagSet, args []string) error {
	label := flags.String("label", "", "what the token is for, such as ci:release")
	grants := flags.String("grants", "", "all, or grants parted by commas, such as state:read,config:read")
	days := flags.Int("days", 0, "days until it expires (90; 30 at most with --sensitive)")
	sensitive := flags.Bool("sensitive", false, "open sensitive acts: secrets, tokens, people, configuration")
	_, done, err := p.parse(named("token create"), flags, args, 0, 0)
	if done || err != nil {
		return err
	}
	if *label == "" || *grants == "" {
		return usage{"A token needs --label and --grants, such as: crewlet token create --label ci:release --grants state:read,config:read"}
	}
	return p.with(ctx, func(n *machine) error {
		in := identity.MintToken{Label: *label, Grants: strings.Split(*grants, ","), Days: *days, Sensitive: *sensitive}
		minted, err := tool.Do(ctx, n.engine.Run, n.engine.Identity.MintToken, call(), in)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(p.stdout, minted.Value)
		return err
	})
}

func tokenList(ctx context.Context, p *program, flags *flag.FlagSet, args []string) error {
	if _, done, err := p.parse(named("token list"), flags, args, 0, 0); done || err != nil {
		return err
	}
	return p.with(ctx, func(n *machine) error {
		all, err := tool.Do(ctx, n.engine.Run, n.engine.Identity.ListTokens, call(), identity.ListTokens{})
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(p.stdout, 0, 4, 2, ' ', 0)
		for _, t := range all.Tokens {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", t.ID, t.Label, standing(t, time.Now()), strings.Join(t.Grants, ","))
		}
		for _, t := range all.Node {
			fmt.Fprintf(w, "%s\t\tof this node's file\t%s\n", t.ID, strings.Join(t.Grants, ","))
		}
		return w.Flush()
	})
}

func standing(t identity.Token, now time.Time) string {
	switch {
	case t.RevokedAt != nil:
		return "revoked"
	case t.ExpiresAt != nil && t.ExpiresAt.Before(now):
		return "expired"
	case t.ExpiresAt != nil:
		return "until " + t.ExpiresAt.Format("2006-01-02")
	default:
		return "no end"
	}
}

func tokenRevoke(ctx context.Context, p *program, flags *flag.FlagSet, args []string) error {
	rest, done, err := p.parse(named("token revoke"), flags, args, 1, 1)
	if done || err != nil {
		return err
	}
	return p.with(ctx, func(n *machine) error {
		id, err := n.tokenNamed(ctx, rest[0])
		if err != nil {
			return err
		}
		gone, err := tool.Do(ctx, n.engine.Run, n.engine.Identity.RevokeToken, call(), identity.RevokeToken{Token: id})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.stdout, "%s is revoked.\n", gone.Label)
		return err
	})
}

// tokenNamed finds the one living token of a label; anything else is taken for
// an id.
func (n *machine) tokenNamed(ctx context.Context, name string) (string, error) {
	all, err := tool.Do(ctx, n.engine.Run, n.engine.Identity.ListTokens, call(), identity.ListTokens{})
	if err != nil {
		return "", err
	}
	id := name
	for _, t := range all.Tokens {
		if t.Label != name || t.RevokedAt != nil {
			continue
		}
		if id != name {
			return "", fmt.Errorf("several tokens are labelled %s; give the id that \"crewlet token list\" shows", name)
		}
		id = t.ID
	}
	return id, nil
}
