package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"

	"crewlet/config/document"
	"crewlet/docs/demo"
	"crewlet/engine/access"
	"crewlet/engine/company"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
)

const demoHelp = `A dozen seats, three projects, 200 items with what was said about them, and open questions, dated over the
last six weeks. Everything is filed by the company's own seats through the operations a program would call.
It only fills a node whose company is empty or already this one, and only while there is no work yet: given
again, it changes nothing. Take the seat Ada under Settings › People, and her questions are in your Inbox.`

// demonstrate imports the demo's company where there is none, and seeds its
// work where there is none.
func demonstrate(ctx context.Context, p *program, flags *flag.FlagSet, args []string) error {
	if _, done, err := p.parse(named("demo"), flags, args, 0, 0); done || err != nil {
		return err
	}
	return p.with(ctx, func(n *machine) error {
		steps, err := demo.Story(n.engine.Run.Now())
		if err != nil {
			return err
		}
		s := newSeeder(n, p.stdout, steps)
		if err := s.company(ctx, n); err != nil {
			return err
		}
		if begun, err := s.begun(ctx); begun || err != nil {
			return err
		}
		return s.work(ctx, n)
	})
}

// seeder runs the demo's story: the use cases by the node's own runner, on a
// clock that stands at each step's moment.
type seeder struct {
	run   tool.Runner
	at    time.Time
	to    io.Writer
	tr    *tracker.Tracker
	co    *company.Company
	steps []demo.Step
	seats map[string]access.Principal // by handle
}

func newSeeder(n *machine, to io.Writer, steps []demo.Step) *seeder {
	s := &seeder{run: *n.engine.Run, at: steps[0].At, to: to, tr: n.engine.Tracker, co: n.engine.Company, steps: steps}
	s.run.Now = func() time.Time { return s.at }
	return s
}

// company makes the demo's document the company, unless it is already. Only a
// company nobody has written anything into is replaced.
func (s *seeder) company(ctx context.Context, n *machine) error {
	now, doc, _, _, err := s.co.Current(ctx, n.db)
	if err != nil {
		return err
	}
	wanted, problems := document.Parse(demo.Company)
	if len(problems) > 0 {
		return fmt.Errorf("the demo's company is not in order: %s", problems[0].Says)
	}
	empty := len(doc.Units)+len(doc.Roles)+len(doc.MCPServers) == 0
	missing := lacks(doc, wanted)
	switch {
	case now.ID != 0 && missing == "":
		return nil
	case !now.Untouched() || !empty && doc.Name != wanted.Name:
		return fmt.Errorf("this node's company is %q, not the demo's: it has no %s. Name another data folder in CREWLET_DATA, or another database in CREWLET_DATABASE_URL", doc.Name, missing)
	}
	c := &tool.Call{By: access.System(), Key: tool.NewKey(), Door: "command"}
	in := company.WriteConfig{Text: string(demo.Company), Writing: company.Writing{IfMatch: now.ID, Summary: "The demo's company"}}
	_, err = tool.Do(ctx, &s.run, s.co.WriteConfig, c, in)
	return err
}

// lacks names the first project or seat of one company that another has not.
func lacks(doc, wanted *document.Document) string {
	has := map[string]bool{}
	for _, one := range doc.AllUnits() {
		has["project "+one.Unit.Project] = true
	}
	for _, one := range doc.Seats() {
		has["seat "+one.Role.Handle+" ("+one.Role.Kind+")"] = true
	}
	for _, one := range wanted.AllUnits() {
		if name := "project " + one.Unit.Project; !has[name] {
			return name
		}
	}
	for _, one := range wanted.Seats() {
		if name := "seat " + one.Role.Handle + " (" + one.Role.Kind + ")"; !has[name] {
			return name
		}
	}
	return ""
}

// begun reports whether there is work already, and says so.
func (s *seeder) begun(ctx context.Context) (bool, error) {
	list, err := tool.Do(ctx, &s.run, s.tr.ListProjects, &tool.Call{By: atTerminal(), Door: "command"}, tracker.ListProjects{Archived: "true"})
	if err != nil {
		return false, err
	}
	items := 0
	for _, one := range list.Projects {
		items += one.Open + one.Done + one.Closed
	}
	if items > 0 {
		_, err = fmt.Fprintf(s.to, "There are %d items already, so nothing is added.\n", items)
	}
	return items > 0, err
}

// work makes every call of the story, in its order.
func (s *seeder) work(ctx context.Context, n *machine) error {
	_, doc, _, ids, err := s.co.Current(ctx, n.db)
	if err != nil {
		return err
	}
	s.seats = map[string]access.Principal{}
	for _, one := range doc.Seats() {
		s.seats[one.Role.Handle] = sitting(one.Role, ids[one.Role.Handle])
	}
	items := 0
	for i, step := range s.steps {
		s.at = step.At
		if err := s.step(ctx, step); err != nil {
			return fmt.Errorf("step %d of the demo's work, by %s: %w", i+1, step.By, err)
		}
		if _, filed := step.In.(tracker.CreateItem); filed {
			items++
		}
		if i%25 == 0 {
			_, _ = fmt.Fprintf(s.to, "\rFilling %s: %d of %d steps … ", doc.Name, i, len(s.steps))
		}
	}
	_, err = fmt.Fprintf(s.to, "\r%s has %d items now, filed and worked on in %d steps.\n", doc.Name, items, len(s.steps))
	return err
}

// sitting is who acts from a seat: the agent itself, or somebody who is known
// by the seat alone. Nobody gets an account by it.
func sitting(r *document.Role, seat string) access.Principal {
	if r.Agent() {
		return access.Principal{Kind: access.Seat, ID: seat, Credential: "host:demo", Name: r.Handle, Handle: r.Handle, Grants: access.StateRead | access.WorkWrite}
	}
	id := uuid.NewSHA1(uuid.NameSpaceURL, []byte("crewlet:demo:"+r.Handle)).String()
	return access.Principal{Kind: access.Person, ID: id, Credential: "host:demo", Name: r.Name, Seat: seat, Handle: r.Handle, Grants: access.StateRead | access.WorkWrite}
}

func (s *seeder) step(ctx context.Context, step demo.Step) error {
	by, ok := s.seats[step.By]
	if !ok {
		return fmt.Errorf("the company has no seat %q", step.By)
	}
	c := &tool.Call{By: by, Key: tool.NewKey(), Door: "command"}
	var err error
	switch in := step.In.(type) {
	case tracker.WriteProject:
		_, err = tool.Do(ctx, &s.run, s.tr.WriteProject, c, in)
	case tracker.CreateItem:
		_, err = tool.Do(ctx, &s.run, s.tr.CreateItem, c, in)
	case tracker.UpdateItem:
		_, err = tool.Do(ctx, &s.run, s.tr.UpdateItem, c, in)
	case tracker.CommentOnItem:
		_, err = tool.Do(ctx, &s.run, s.tr.CommentOnItem, c, in)
	case tracker.MarkInbox:
		_, err = tool.Do(ctx, &s.run, s.tr.MarkInbox, c, in)
	case tracker.SetPriorities:
		_, err = tool.Do(ctx, &s.run, s.tr.SetPriorities, c, in)
	default:
		err = fmt.Errorf("nothing is known to do with %T", in)
	}
	return err
}
