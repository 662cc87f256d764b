package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"crewlet/config/document"
	"crewlet/engine/company"
	"crewlet/engine/tool"
)

func companyImport(ctx context.Context, p *program, flags *flag.FlagSet, args []string) error {
	summary := flags.String("summary", "Imported at the terminal", "why, for the history")
	match := flags.Int64("if-match", 0, "number of the revision FILE was written over, as \"company show\" says it")
	rest, done, err := p.parse(named("company import"), flags, args, 1, 1)
	if done || err != nil {
		return err
	}
	text, err := p.document(rest[0])
	if err != nil {
		return err
	}
	return p.with(ctx, func(n *machine) error {
		in := company.WriteConfig{Text: string(text), Writing: company.Writing{IfMatch: *match, Summary: *summary}}
		if *match == 0 {
			now, err := tool.Do(ctx, n.engine.Run, n.engine.Company.GetConfig, call(), company.GetConfig{})
			if err != nil {
				return err
			}
			if !now.Untouched() {
				return fmt.Errorf("%s wrote revision %d (%s), and this would write over it. Bring over what it changed (\"crewlet company show\"), then say --if-match %d",
					now.AuthorName, now.ID, now.Summary, now.ID)
			}
			in.IfMatch = now.ID
		}
		wrote, err := tool.Do(ctx, n.engine.Run, n.engine.Company.WriteConfig, call(), in)
		if err != nil {
			return err
		}
		fmt.Fprintf(p.stdout, "This is revision %d now.\n", wrote.RevisionID)
		for _, w := range wrote.Warnings {
			fmt.Fprintf(p.stderr, "warning: line %d: %s\n", w.Line, about(w.Path, w.Message))
		}
		return nil
	})
}

// companyShow writes the text alone to standard output: which revision it is
// goes beside it.
func companyShow(ctx context.Context, p *program, flags *flag.FlagSet, args []string) error {
	if _, done, err := p.parse(named("company show"), flags, args, 0, 0); done || err != nil {
		return err
	}
	return p.with(ctx, func(n *machine) error {
		now, err := tool.Do(ctx, n.engine.Run, n.engine.Company.GetConfig, call(), company.GetConfig{})
		if err != nil {
			return err
		}
		fmt.Fprintf(p.stderr, "revision %d\n", now.ID)
		_, err = io.WriteString(p.stdout, now.Text)
		return err
	})
}

func companyValidate(_ context.Context, p *program, flags *flag.FlagSet, args []string) error {
	rest, done, err := p.parse(named("company validate"), flags, args, 1, 1)
	if done || err != nil {
		return err
	}
	text, err := p.document(rest[0])
	if err != nil {
		return err
	}
	_, problems := document.Parse(text)
	if len(problems) == 0 {
		fmt.Fprintf(p.stdout, "%s is a company document in good order.\n", rest[0])
		return nil
	}
	for _, one := range problems {
		fmt.Fprintf(p.stderr, "%s:%d:%d: %s\n", rest[0], one.Line, one.Column, about(one.Path, one.Says))
	}
	if len(problems) == 1 {
		return errors.New("1 thing is wrong")
	}
	return fmt.Errorf("%d things are wrong", len(problems))
}

// largest is the most of a file that is read: past it the document is too
// large anyway, and says so.
const largest = 2 << 20

func (p *program) document(path string) ([]byte, error) {
	from := p.stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("read the company document: %w", err)
		}
		defer func() { _ = file.Close() }()
		from = file
	}
	text, err := io.ReadAll(io.LimitReader(from, largest))
	if err != nil {
		return nil, fmt.Errorf("read the company document: %w", err)
	}
	return text, nil
}

// about puts the path before what is said of it; some things are said of the
// text as a whole.
func about(path, says string) string {
	if path == "" {
		return says
	}
	return path + ": " + says
}

// problemLines draws the problems of a refused document, one a line.
func problemLines(list []company.Problem) string {
	lines := make([]string, len(list))
	for i, one := range list {
		lines[i] = fmt.Sprintf("  line %d: %s", one.Line, about(one.Path, one.Message))
	}
	return strings.Join(lines, "\n")
}
