package servers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"crewlet/config/document"
	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
	"crewlet/mcp/client"
)

// CheckServer is what check_mcp_server is asked.
type CheckServer struct {
	Name string `json:"name" validate:"required,max=40" jsonschema:"the server's name"`
}

// Object names the server for the record, as people know it.
func (a CheckServer) Object() string { return "server:" + a.Name }

// Checked is what came back from a real request, and when.
type Checked struct {
	OK      bool      `json:"ok"`
	Says    string    `json:"says"` // one or two sentences
	Name    string    `json:"name"`
	Node    string    `json:"node"`  // that asked
	Tools   int       `json:"tools"` // listed
	Added   []string  `json:"added"` // since the last listing, by the server's own names
	Removed []string  `json:"removed"`
	Changed []string  `json:"changed"`
	At      time.Time `json:"at"` // UTC; when it answered, or failed to
	TookMS  int64     `json:"took_ms"`
}

func declareCheck(s *Servers) tool.Use[CheckServer, Checked] {
	return tool.Declare(tool.Spec{
		Name:     "check_mcp_server",
		Title:    "Check an MCP server",
		Brief:    "Prove a running server by a real request on this node: list its tools now, and say what came back.",
		Access:   access.Operator(access.FleetOperate),
		Audience: tool.Operators,
		Mode:     tool.Outside,
		Hints:    tool.Hints{Idempotent: true, OpenWorld: true},
	}, s.check)
}

func (s *Servers) check(ctx context.Context, c *tool.Call, in CheckServer) (Checked, error) {
	c.About(in.Object())
	if s.pool == nil {
		return Checked{}, notServing()
	}
	rev, doc, ids, _, err := s.o.Company.Current(ctx, s.o.DB)
	if err != nil {
		return Checked{}, err
	}
	d := &standing{revision: rev.ID, doc: doc, ids: ids}
	entry, ok := doc.Server(in.Name)
	if !ok {
		return Checked{}, refusal.NotFound.Say("No server %s is declared.", in.Name)
	}
	c.About("server:" + ids[in.Name])
	if err := runs(entry); err != nil {
		return Checked{}, err
	}
	began := s.o.Clock.Now()
	out, err := s.asked(ctx, d, entry)
	out.Name, out.Node = in.Name, s.o.Node.Name
	out.At = s.o.Clock.Now().UTC()
	out.TookMS = out.At.Sub(began).Milliseconds()
	return out, err
}

// runs refuses what a declared server cannot do that nobody starts.
func runs(entry *document.Server) error {
	switch says := unstarted(entry); {
	case !entry.Enabled:
		return refusal.NotRunning.Say("%s is switched off in the configuration; set enabled: true to start it.", entry.Name)
	case says != "":
		return refusal.NotRunning.Say("%s does not run. %s", entry.Name, says)
	}
	return nil
}

// asked lists a server's tools now and files what came back. One that is down
// is an answer too.
func (s *Servers) asked(ctx context.Context, d *standing, entry *document.Server) (Checked, error) {
	key := client.Key{Server: d.ids[entry.Name], Node: s.o.Node.ID}
	out := Checked{Added: []string{}, Removed: []string{}, Changed: []string{}}
	cat, tells, err := s.listing(ctx, key, entry)
	if no, ok := errors.AsType[*client.CallError](err); ok {
		out.Says = no.Says
		if held := s.whyHeldBack(key); no.Fault == client.NoServer && held != "" {
			out.Says = held
		}
		return out, nil
	}
	if err != nil {
		return out, fmt.Errorf("check %s: %w", entry.Name, err)
	}
	in := catalogueOf(note{key: key, state: recordServerState{Name: entry.Name}, catalogue: cat, tells: tells})
	in.Declared = d.order()
	filed, err := tool.Do(ctx, s.o.Run, s.fileCatalogue, byEngine(), in)
	if err != nil {
		return out, err
	}
	out.OK, out.Tools = true, len(cat.Tools)
	out.Added, out.Removed, out.Changed = names(filed.Added), names(filed.Removed), names(filed.Changed)
	out.Says = fmt.Sprintf("It answers and lists %s", tools(out.Tools))
	if moved := len(out.Added) + len(out.Removed) + len(out.Changed); moved > 0 {
		out.Says += fmt.Sprintf(": %d added, %d removed, %d changed since the last listing.", len(out.Added), len(out.Removed), len(out.Changed))
	} else {
		out.Says += ", as before."
	}
	return out, nil
}

// listing lists a server's tools now. One that rests is started for it, once.
func (s *Servers) listing(ctx context.Context, key client.Key, entry *document.Server) (*client.Catalogue, client.Report, error) {
	tells := s.reportOf(key)
	if tells.State != client.Idle && tells.State != client.Resting {
		cat, err := s.pool.Check(ctx, key)
		return cat, tells, err
	}
	stored, err := s.o.Secrets.Values(ctx, s.o.DB)
	if err != nil {
		return nil, tells, fmt.Errorf("open the secrets: %w", err)
	}
	spec, _, held := s.resolver(stored).build(entry, key)
	if held != nil {
		return nil, tells, &client.CallError{Fault: client.Down, Server: entry.Name, Says: held.says}
	}
	if tells = s.pool.Try(ctx, spec); tells.State != client.Running {
		return nil, tells, &client.CallError{Fault: client.Down, Server: entry.Name, Says: tells.Error}
	}
	return tells.Catalogue, tells, nil
}

// names is a list that is never null.
func names(list []string) []string { return append([]string{}, list...) }

// reportOf is an instance as it stands in the pool.
func (s *Servers) reportOf(key client.Key) client.Report {
	for _, r := range s.pool.Reports() {
		if r.Key == key {
			return r
		}
	}
	return client.Report{Key: key}
}
