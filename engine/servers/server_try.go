package servers

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"crewlet/config/document"
	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/secrets"
	"crewlet/engine/tool"
	"crewlet/mcp/client"
)

// TryServer is what try_mcp_server is asked: a declaration as it would be
// stored.
type TryServer struct {
	Name  string          `json:"name" validate:"required,max=40" jsonschema:"the server's name, declared or not yet"`
	Entry json.RawMessage `json:"entry" validate:"required" jsonschema:"the declaration as a JSON object, as put_mcp_server takes it"`
	// Values never stand in the entry: so each is known for what it is, and may
	// have lines.
	Values []TrialValue `json:"values,omitempty" validate:"max=100,dive" jsonschema:"values of names the entry refers to, for this trial alone; they come before what is stored"`
}

// TrialValue is what a reference stands for while a server is tried.
type TrialValue struct {
	Name  string `json:"name" validate:"required,max=200" jsonschema:"such as GITHUB_TOKEN"`
	Value string `json:"value" validate:"required" text:"raw" jsonschema:"the value, at most 64 KiB; it is kept nowhere"`
}

// Object names the server for the record, as people know it.
func (a TryServer) Object() string { return "server:" + a.Name }

// Faults of a trial.
const (
	FaultHeldBack   = "held_back"          // something it needs does not resolve, or may not be sent there
	FaultCredential = "credential_refused" // the server answered 401 or 403
	FaultSilent     = "no_answer"          // nothing came back in time
	FaultFailed     = "failed"             // anything else; Says has it
)

// Tried is what came of starting a server once, outside the catalogue.
type Tried struct {
	OK    bool        `json:"ok"`
	Says  string      `json:"says"`            // one or two sentences
	Fault string      `json:"fault,omitempty"` // one of the Faults; empty when it answered
	Tools []ToolBrief `json:"tools"`           // as it listed them
	// StderrTail is what it said last, redacted.
	StderrTail []string `json:"stderr_tail,omitempty"`
	TookMS     int64    `json:"took_ms"`
	Missing    []string `json:"missing,omitempty"` // variables that do not resolve
	// Unmatched are include entries that name nothing it lists.
	Unmatched []string `json:"unmatched,omitempty"`
}

// ToolBrief is a listed tool in a line.
type ToolBrief struct {
	Name        string `json:"name"` // the server's own
	Title       string `json:"title"`
	Description string `json:"description"`
	Hint        string `json:"hint"` // destructive, writes, read-only or unknown
	Invalid     string `json:"invalid,omitempty"`
	Invisible   bool   `json:"invisible,omitempty"` // its words hold characters that cannot be seen
}

func declareTry(s *Servers) tool.Use[TryServer, Tried] {
	return tool.Declare(tool.Spec{
		Name:     "try_mcp_server",
		Title:    "Test a connection",
		Brief:    "Start a server once, outside the catalogue, with its secrets resolved, list its tools and stop it again.",
		Access:   access.Operator(access.ConfigWrite).Sensitive(),
		Audience: tool.Operators,
		Mode:     tool.Outside,
		Hints:    tool.Hints{OpenWorld: true},
	}, s.try)
}

// trial is how long a trial may take: a package runner may have to download
// what it starts first.
const trial = 5 * time.Minute

func (s *Servers) try(ctx context.Context, c *tool.Call, in TryServer) (Tried, error) {
	c.About(in.Object())
	if s.o.Spawner == nil {
		return Tried{}, notServing()
	}
	entry, err := s.o.Company.Drafted(ctx, s.o.DB, in.Name, in.Entry)
	if err != nil {
		return Tried{}, err
	}
	if entry.Auth != nil {
		return Tried{}, refusal.Invalid.Say("%s", unstarted(entry)).On("auth")
	}
	stored, err := s.o.Secrets.Values(ctx, s.o.DB)
	if err != nil {
		return Tried{}, fmt.Errorf("open the secrets: %w", err)
	}
	s.hide(stored)
	if stored, err = in.over(stored); err != nil {
		return Tried{}, err
	}
	key := client.Key{Server: "trial-" + c.Key, Node: s.o.Node.ID}
	spec, res, held := newResolver(stored, s.o.Environ, s.o.Node.Loopback).build(entry, key)
	if held != nil {
		return Tried{Says: held.says, Fault: FaultHeldBack, Tools: []ToolBrief{}, Missing: held.variables}, nil
	}
	spec.Secrets = res.all(spec.Secrets)
	out := s.tried(ctx, entry, spec)
	if out.Fault == FaultCredential {
		out.Says += " " + res.suspects()
	}
	return out, nil
}

// over puts the values that came along over those that are stored.
func (a TryServer) over(stored map[string]secrets.Value) (map[string]secrets.Value, error) {
	all := maps.Clone(stored)
	if all == nil {
		all = map[string]secrets.Value{}
	}
	for _, v := range a.Values {
		if len(v.Value) > secrets.MaxValue {
			return nil, refusal.Invalid.Say("A value is at most 64 KiB; that of %s is %d bytes.", v.Name, len(v.Value)).On("values")
		}
		all[v.Name] = secrets.Value{Plain: v.Value}
	}
	return all, nil
}

// shortest is the least length, in bytes, of a literal that is taken for a
// secret in a trial.
const shortest = 4

// all are the values to hide in a trial: everything the server is given, what
// is written out as well. Nobody has said yet which of it is no secret, and the
// last word behind a scheme, as in "Bearer x", is what a server prints.
func (res resolved) all(hidden []string) []string {
	list := append(slices.Clone(hidden), res.known...)
	for _, value := range res.values {
		list = append(list, value)
		if words := strings.Fields(value); len(words) == 2 {
			list = append(list, words[1])
		}
	}
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(v string) bool { return len(v) < shortest })
}

func (s *Servers) tried(ctx context.Context, entry *document.Server, spec client.Spec) Tried {
	began := s.o.Clock.Now()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer s.o.Clock.AfterFunc(trial, cancel)()
	r := s.trialPool().Try(ctx, spec)
	out := Tried{
		OK: r.State == client.Running, Tools: []ToolBrief{}, StderrTail: r.StderrTail,
		TookMS: s.o.Clock.Now().Sub(began).Milliseconds(),
	}
	if !out.OK {
		out.Fault, out.Says = faultOf(r, s.o.Clock.Now().Sub(began) >= entry.StartupTimeout.Std()), r.Error
		if out.Says == "" {
			out.Says = fmt.Sprintf("It was given up after %s.", trial)
		}
		return out
	}
	out.list(entry, r.Catalogue)
	return out
}

// trialPool is what a trial runs in; a command that serves nothing has one for
// the purpose, which keeps nothing.
func (s *Servers) trialPool() *client.Pool {
	if s.pool != nil {
		return s.pool
	}
	return client.NewPool(client.Options{Spawner: s.o.Spawner, Clock: s.o.Clock, Log: s.o.Log, Version: s.o.Node.Version, Hidden: &s.hidden})
}

// list tells what the server listed.
func (out *Tried) list(entry *document.Server, cat *client.Catalogue) {
	for _, t := range cat.Tools {
		row := Tool{Annotations: t.Annotations}
		row.override(entry.ToolAnnotations[t.Name])
		out.Tools = append(out.Tools, ToolBrief{
			Name: t.Name, Title: t.Title, Description: t.Description, Hint: row.Hint(), Invalid: t.Invalid,
			Invisible: holdsUnseen(toolFact{
				Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: string(t.InputSchema), OutputSchema: string(t.OutputSchema),
			}),
		})
	}
	for _, p := range entry.Tools.Include {
		if !slices.ContainsFunc(cat.Tools, func(t client.Tool) bool { return matches(p, t.Name) }) {
			out.Unmatched = append(out.Unmatched, p)
		}
	}
	switch n := len(cat.Tools); {
	case len(out.Unmatched) > 0:
		out.Says = fmt.Sprintf("It answers and lists %s, but none named %s.", tools(n), strings.Join(out.Unmatched, ", "))
	case n == 0:
		out.Says = "It answers, and lists no tools."
	default:
		out.Says = fmt.Sprintf("It answers and lists %s.", tools(n))
	}
}

// faultOf tells why a trial failed, as far as a program can act on it.
func faultOf(r client.Report, late bool) string {
	switch {
	case r.Fault == client.Unauthorized:
		return FaultCredential
	case late:
		return FaultSilent
	default:
		return FaultFailed
	}
}

func tools(n int) string {
	if n == 1 {
		return "1 tool"
	}
	return fmt.Sprintf("%d tools", n)
}

func notServing() error { return refusal.Unavailable.Say("This node runs no servers.") }
