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
	summary := flags.String("summary", "", "why, for the history")
	rest, done, err := p.parse(named("company import"), flags, args, 1, 1)
	if done || err != nil {
		return err
	}
	text, err := p.document(rest[0])
	if err != nil {
		return err
	}
	if *summary == "" {
		*summary = "Imported at the terminal"
	}
	return p.with(ctx, func(n *machine) error {
		now, err := tool.Do(ctx, n.engine.Run, n.engine.Company.GetConfig, call(), company.GetConfig{})
		if err != nil {
			return err
		}
		in := company.WriteConfig{Text: string(text), Writing: company.Writing{IfMatch: now.ID, Summary: *summary}}
		wrote, err := tool.Do(ctx, n.engine.Run, n.engine.Company.WriteConfig, call(), in)
		if err != nil {
			return err
		}
		fmt.Fprintf(p.stdout, "This is revision %d now.\n", wrote.RevisionID)
		for _, w := range wrote.Warnings {
			fmt.Fprintf(p.stderr, "warning: %s (line %d): %s\n", w.Path, w.Line, w.Message)
		}
		return nil
	})
}

func companyShow(ctx context.Context, p *program, flags *flag.FlagSet, args []string) error {
	if _, done, err := p.parse(named("company show"), flags, args, 0, 0); done || err != nil {
		return err
	}
	return p.with(ctx, func(n *machine) error {
		now, err := tool.Do(ctx, n.engine.Run, n.engine.Company.GetConfig, call(), company.GetConfig{})
		if err != nil {
			return err
		}
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
		fmt.Fprintf(p.stderr, "%s:%d:%d: %s: %s\n", rest[0], one.Line, one.Column, one.Path, one.Says)
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

// problemLines draws the problems of a refused document, one a line.
func problemLines(problems any) string {
	list, ok := problems.([]company.Problem)
	if !ok {
		return ""
	}
	lines := make([]string, len(list))
	for i, one := range list {
		lines[i] = fmt.Sprintf("  line %d: %s: %s", one.Line, one.Path, one.Message)
	}
	return strings.Join(lines, "\n")
}
