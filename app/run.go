package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"crewlet/config/nearest"
	"crewlet/engine/company"
	"crewlet/engine/refusal"
)

// program is one run of the binary and all it may touch.
type program struct {
	environ        []string
	stdin          io.Reader
	stdout, stderr io.Writer
}

// command is one word of the command line, or two: "secrets set".
type command struct {
	name  string // as typed
	args  string // what follows it
	brief string
	help  string // what -h adds
	run   func(ctx context.Context, p *program, flags *flag.FlagSet, args []string) error
}

// usage is an error of the command line itself: it exits 2.
type usage struct{ says string }

func (u usage) Error() string { return u.says }

func exitCode(err error) int {
	if _, ok := errors.AsType[usage](err); ok {
		return 2
	}
	return 1
}

// says is an error as the person at the terminal reads it: a refusal's
// sentence, and the sentences of its fields.
func says(err error) string {
	no, ok := errors.AsType[*refusal.Refusal](err)
	if !ok {
		return err.Error()
	}
	text := no.Says
	problems, listed := no.Details["problems"].([]company.Problem)
	for field, sentence := range no.Fields {
		if sentence != no.Says && !listed { // or else it is one of those
			text += "\n  " + field + ": " + sentence
		}
	}
	if len(problems) > 1 { // of one the sentence above has said it
		text += "\n" + problemLines(problems)
	}
	if no.Cause != nil {
		text += "\n  cause: " + no.Cause.Error()
	}
	return text
}

// run finds the command and runs it.
func (p *program) run(ctx context.Context, args []string) error {
	if len(args) == 0 || args[0] == "-h" || args[0] == "--help" || args[0] == "help" {
		p.overview(p.stdout)
		return nil
	}
	c, rest, err := find(args)
	if err != nil {
		return err
	}
	flags := flag.NewFlagSet("crewlet "+c.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	return c.run(ctx, p, flags, rest)
}

// parse reads a command's flags, wherever among its arguments they stand, and
// refuses more or fewer arguments than it takes. done is true after -h.
func (p *program) parse(c *command, flags *flag.FlagSet, args []string, least, most int) (rest []string, done bool, err error) {
	for {
		err := flags.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			p.explain(c, flags)
			return nil, true, nil
		}
		if err != nil {
			return nil, false, usage{fmt.Sprintf("%s. \"crewlet %s -h\" says what it takes.", err, c.name)}
		}
		if args = flags.Args(); len(args) == 0 {
			break
		}
		rest, args = append(rest, args[0]), args[1:]
	}
	if len(rest) < least || len(rest) > most {
		return nil, false, usage{fmt.Sprintf("This is written: crewlet %s", strings.TrimSpace(c.name+" "+c.args))}
	}
	return rest, false, nil
}

// named is a command by its name, for its own explanation.
func named(name string) *command {
	for _, c := range commands() {
		if c.name == name {
			return &c
		}
	}
	return nil
}

func find(args []string) (*command, []string, error) {
	var known []string
	list := commands()
	for i, c := range list {
		words := strings.Fields(c.name)
		known = append(known, c.name)
		if len(args) >= len(words) && strings.Join(args[:len(words)], " ") == c.name {
			return &list[i], args[len(words):], nil
		}
	}
	return nil, nil, usage{stranger(args, known)}
}

// stranger says what was probably meant by words that are no command.
func stranger(args, known []string) string {
	var group []string
	for _, name := range known {
		if strings.HasPrefix(name, args[0]+" ") {
			group = append(group, "crewlet "+name)
		}
	}
	typed := strings.Join(args[:min(2, len(args))], " ")
	near := nearest.Name(typed, known)
	switch {
	case len(args) == 1 && len(group) > 0:
		return fmt.Sprintf("%q wants another word: there are %s.", typed, strings.Join(group, ", "))
	case near != "":
		return fmt.Sprintf("There is no command %q. Did you mean \"crewlet %s\"? \"crewlet help\" lists them all.", typed, near)
	case len(group) > 0:
		return fmt.Sprintf("There is no command %q; there are %s.", typed, strings.Join(group, ", "))
	default:
		return fmt.Sprintf("There is no command %q. \"crewlet help\" lists those there are.", typed)
	}
}

func (p *program) overview(w io.Writer) {
	fmt.Fprint(w, "Crewlet: one place where people and AI agents work, and the tools they may use.\n\nUsage: crewlet COMMAND [ARGUMENTS]\n\n")
	for _, c := range commands() {
		if c.brief != "" {
			fmt.Fprintf(w, "  %-18s %s\n", c.name, c.brief)
		}
	}
	fmt.Fprint(w, "\n\"crewlet COMMAND -h\" says more of each. Settings come from the environment: see docs/settings.md.\n")
}

func (p *program) explain(c *command, flags *flag.FlagSet) {
	fmt.Fprintf(p.stdout, "%s\n\nUsage: crewlet %s\n", c.brief, strings.TrimSpace(c.name+" "+c.args))
	if c.help != "" {
		fmt.Fprintf(p.stdout, "\n%s\n", c.help)
	}
	var any bool
	flags.VisitAll(func(f *flag.Flag) {
		if !any {
			fmt.Fprint(p.stdout, "\nFlags:\n")
			any = true
		}
		fmt.Fprintf(p.stdout, "  --%-14s %s\n", f.Name, f.Usage)
	})
}
