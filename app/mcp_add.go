package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"

	"crewlet/config/document"
	"crewlet/config/nearest"
	"crewlet/config/preset"
	"crewlet/engine/company"
	"crewlet/engine/tool"
)

// newServer is a server as it was typed.
type newServer struct {
	name, preset, command, url string
	env, headers               list
	args                       []string // after --
	perSeat, plain             bool
	summary                    string
}

const mcpAddArgs = "NAME [--preset PRESET] [--env KEY=VALUE …] [--url URL] [--header KEY=VALUE …] [--command PROGRAM] [-- ARGUMENT …]"

func mcpAddHelp() string {
	var b strings.Builder
	b.WriteString("What is typed beside a preset wins. For example:\n" +
		"  crewlet mcp add everything --preset everything\n" +
		"  crewlet mcp add files --preset filesystem -- /srv/files\n" +
		"  crewlet mcp add weather --env WEATHER_KEY='${WEATHER_KEY}' -- npx -y weather-mcp\n" +
		"  crewlet mcp add hub --url https://hub.example/mcp --header Authorization='Bearer ${HUB_TOKEN}'\n\nPresets:\n")
	for _, p := range preset.List() {
		fmt.Fprintf(&b, "  %-12s %s\n", p.Name, p.Brief)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func mcpAdd(ctx context.Context, p *program, flags *flag.FlagSet, args []string) error {
	var in newServer
	flags.StringVar(&in.preset, "preset", "", "one of "+strings.Join(preset.Names(), ", "))
	flags.StringVar(&in.command, "command", "", "the program to start; its arguments follow --")
	flags.StringVar(&in.url, "url", "", "the address of a server that runs elsewhere")
	flags.Var(&in.env, "env", "KEY=VALUE, a variable of a command; may be given several times")
	flags.Var(&in.headers, "header", "KEY=VALUE, a header sent to a url; may be given several times")
	flags.BoolVar(&in.perSeat, "per-seat", false, "one child per seat, each with credentials of its own")
	flags.BoolVar(&in.plain, "plain", false, "take values as they are, although one looks like a credential")
	flags.StringVar(&in.summary, "summary", "", "why, for the history")
	if at := slices.Index(args, "--"); at >= 0 {
		args, in.args = args[:at], args[at+1:]
	}
	rest, done, err := p.parse(named("mcp add"), flags, args, 1, 1)
	if done || err != nil {
		return err
	}
	in.name = rest[0]
	from, server, err := in.server()
	if err != nil {
		return err
	}
	return p.with(ctx, func(n *machine) error { return n.add(ctx, p, in, from, server) })
}

// server is the declaration, and the preset it began with.
func (in newServer) server() (preset.Preset, document.Server, error) {
	from := preset.Preset{Server: document.NewServer()}
	if in.preset != "" {
		var known bool
		if from, known = preset.Find(in.preset); !known {
			return from, from.Server, usage{noPreset(in.preset)}
		}
	}
	s := from.Server
	s.Name, s.Shared = in.name, s.Shared && !in.perSeat
	if err := in.reach(from, &s); err != nil {
		return from, s, err
	}
	for _, one := range []struct {
		flag  string
		given list
		into  *map[string]string
	}{{"--env", in.env, &s.Env}, {"--header", in.headers, &s.Headers}} {
		if err := in.values(one.flag, one.given, one.into); err != nil {
			return from, s, err
		}
	}
	return from, s, in.inTheOpen(s)
}

func noPreset(name string) string {
	says := fmt.Sprintf("There is no preset %q; there are %s.", name, strings.Join(preset.Names(), ", "))
	if near := nearest.Name(name, preset.Names()); near != "" {
		says += fmt.Sprintf(" Did you mean %s?", near)
	}
	return says
}

// reach lays what was typed over how the preset starts or reaches its server.
func (in newServer) reach(from preset.Preset, s *document.Server) error {
	switch {
	case in.url != "" && (in.command != "" || len(in.args) > 0):
		return usage{"A server has a --url, or a command and its arguments; not both."}
	case in.url != "":
		s.URL, s.Command, s.Args, s.Env = in.url, "", nil, nil
	case in.command != "":
		s.URL, s.Headers, s.Command, s.Args = "", nil, in.command, in.args
	case len(in.args) > 0:
		return in.launch(from, s)
	case s.Command == "" && s.URL == "":
		return usage{"Say how the server is started or reached: --preset PRESET, --url URL, or -- PROGRAM ARGUMENT …, such as: crewlet mcp add everything -- npx -y @modelcontextprotocol/server-everything"}
	}
	return nil
}

// launch takes what follows -- where no command is given: the whole command
// line, or what a preset's own program is told.
func (in newServer) launch(from preset.Preset, s *document.Server) error {
	switch {
	case s.URL != "":
		return usage{fmt.Sprintf("The preset %s is reached at an address, which takes no arguments.", in.preset)}
	case s.Command != "":
		s.Args = slices.Concat(s.Args[:from.Launch], in.args)
	default:
		s.Command, s.Args = in.args[0], in.args[1:]
	}
	return nil
}

// values reads KEY=VALUE.
func (in newServer) values(flag string, given list, into *map[string]string) error {
	for _, one := range given {
		key, value, ok := strings.Cut(one, "=")
		if !ok || key == "" {
			return usage{fmt.Sprintf("%s is written KEY=VALUE, such as %s LOG_LEVEL=debug.", flag, flag)}
		}
		if *into == nil {
			*into = map[string]string{}
		}
		if flag == "--header" { // header names have no case
			maps.DeleteFunc(*into, func(other, _ string) bool { return strings.EqualFold(other, key) })
		}
		(*into)[key] = value
	}
	return nil
}

// inTheOpen refuses a credential written out: it would stand in the company
// document, for everybody who reads it. What is one is the form's own rule.
func (in newServer) inTheOpen(s document.Server) error {
	if in.plain {
		return nil
	}
	entry, err := encoded(s)
	if err != nil {
		return err
	}
	where, err := company.Exposed(entry)
	if where == "" || err != nil {
		return err
	}
	const seen = "looks like a credential, and everybody who reads the configuration would see it. Store it with \"crewlet secrets set NAME\" and "
	field, key, _ := strings.Cut(where, ".")
	says := ""
	switch field {
	case "env":
		says = fmt.Sprintf("The value of --env %s %swrite --env %s='${NAME}'.", key, seen, key)
	case "headers":
		says = fmt.Sprintf("The value of --header %s %swrite --header %s='${NAME}'.", key, seen, key)
	case "url":
		says = fmt.Sprintf("%s in the address %swrite ${NAME} in its place.", key, seen)
	default:
		says = fmt.Sprintf("%s %sgive it as a variable the server reads, --env KEY='${NAME}'.", onTheLine(where), seen)
	}
	return usage{says + " If it is none, add --plain."}
}

// onTheLine is a place of a command line, such as "args[1]", as it is counted
// by people.
func onTheLine(where string) string {
	var at int
	if _, err := fmt.Sscanf(where, "args[%d]", &at); err != nil {
		return "The command"
	}
	return fmt.Sprintf("Argument %d", at+1)
}

// encoded is a server as it is declared.
func encoded(s document.Server) (json.RawMessage, error) {
	fields, err := company.Declaration(s)
	if err != nil {
		return nil, err
	}
	entry, err := json.Marshal(fields)
	if err != nil {
		return nil, fmt.Errorf("encode the declaration of %s: %w", s.Name, err)
	}
	return entry, nil
}

// add declares the server, and says what is still missing.
func (n *machine) add(ctx context.Context, p *program, in newServer, from preset.Preset, server document.Server) error {
	entry, err := encoded(server)
	if err != nil {
		return err
	}
	if in.summary == "" {
		in.summary = "Add the server " + in.name + " at the terminal"
	}
	put := company.PutServer{Name: in.name, Entry: entry, Create: true, Writing: company.Writing{Summary: in.summary}}
	wrote, err := tool.Do(ctx, n.engine.Run, n.engine.Company.PutServer, call(), put)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s is added. This is revision %d now.\n", in.name, wrote.RevisionID)
	if from.Needs != "" && server.Command == from.Server.Command {
		fmt.Fprintf(p.stdout, "On the node's PATH there must be %s.\n", from.Needs)
	} else if server.Command != "" && !strings.Contains(server.Command, "/") {
		fmt.Fprintf(p.stdout, "On the node's PATH there must be %s.\n", server.Command)
	}
	missing := []string{}
	for _, w := range wrote.Warnings {
		if strings.Contains(string(entry), "${"+w.Name+"}") && !slices.Contains(missing, w.Name) {
			missing = append(missing, w.Name)
			fmt.Fprintf(p.stdout, "It is held back until %s is stored: crewlet secrets set %s\n", w.Name, w.Name)
		}
	}
	n.seats(p, in, from, server)
	return nil
}

// seats says what each seat gives a server with one child per seat.
func (n *machine) seats(p *program, in newServer, from preset.Preset, server document.Server) {
	if server.Shared {
		return
	}
	fmt.Fprintf(p.stdout, "Nothing starts until a seat has credentials of its own, under mcp_env in the company document.\n")
	env := from.SeatEnv("ana")
	if len(env) == 0 {
		return
	}
	fmt.Fprintf(p.stdout, "For a seat called ana, for example:\n  mcp_env:\n    %s:\n", in.name)
	for _, key := range slices.Sorted(maps.Keys(env)) {
		fmt.Fprintf(p.stdout, "      %s: %s\n", key, env[key])
	}
}
