package demo

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"crewlet/engine/tracker"
)

// ways is how an item comes to a state from todo.
var ways = map[string][]string{
	"todo": nil, "in_progress": {"in_progress"}, "in_review": {"in_progress", "in_review"},
	"done": {"in_progress", "done"}, "cancelled": {"cancelled"}, "closed": {"closed"},
}

// loose plans an item of its own: its way and what is said of it, spread over
// its days.
func (p *plan) loose(l loose) error {
	e := &entry{Task: l.Task, project: l.Project, refers: l.Refers, created: p.now.Add(-days(l.Ago))}
	if l.Due != nil {
		e.due = dated(p.now.Add(days(float64(*l.Due))))
	}
	if l.Part != "" {
		if e.part = p.titled[l.Part]; e.part == nil {
			return fmt.Errorf("the demo's %q is part of %q, which is not before it", l.Title, l.Part)
		}
	}
	if err := p.enter(e); err != nil {
		return err
	}
	way, known := ways[l.State]
	if !known {
		return fmt.Errorf("the demo's %q is to be %q, which is no state", l.Title, l.State)
	}
	var steps []func(at time.Time)
	for _, status := range way {
		steps = append(steps, func(at time.Time) { p.moves(e, at, cmp.Or(e.Who, e.By), status) })
	}
	first := min(len(steps), 1) // what is said is said once the work has begun
	var said []func(at time.Time)
	if l.Later != "" {
		said = append(said, func(at time.Time) { p.rewrites(e, at, l.Later) })
	}
	for _, s := range l.Talk {
		said = append(said, func(at time.Time) { p.says(e, at, s) })
	}
	steps = slices.Concat(steps[:first], said, steps[first:])
	for i, step := range steps {
		step(e.created.Add(days(l.Ago) * time.Duration(i+1) / time.Duration(len(steps)+1)))
	}
	return nil
}

func (p *plan) moves(e *entry, at time.Time, by, status string) {
	p.events = append(p.events, event{at: at, by: by, of: e, status: status, in: func() any {
		return tracker.UpdateItem{Key: e.key, Status: status}
	}})
}

// rewrites saves another description over the one the item was filed with.
func (p *plan) rewrites(e *entry, at time.Time, text string) {
	p.events = append(p.events, event{at: at, by: e.By, of: e, in: func() any {
		return tracker.UpdateItem{Key: e.key, Description: &text, BaseVersion: 1}
	}})
}

// says is a comment or a question, and the answer where there is one.
func (p *plan) says(e *entry, at time.Time, s saying) {
	in := tracker.CommentOnItem{Body: s.Says, Answers: "none"}
	if q := s.Ask; q != nil {
		in.Ask = &tracker.Ask{To: q.To}
		if q.Due != nil {
			in.Ask.Due = dated(p.now.Add(days(float64(*q.Due))))
		}
		if len(q.Options) > 0 {
			in.Ask.Decision = &tracker.Decision{Multi: q.Multi, Free: q.Free}
			for _, o := range q.Options {
				in.Ask.Decision.Options = append(in.Ask.Decision.Options, tracker.Choice{Label: o.Label, Consequence: o.Then})
			}
		}
	}
	p.comments(e, at, s.By, in)
	if q := s.Ask; q != nil && (q.Answer != "" || len(q.Chosen) > 0) {
		p.comments(e, at.Add(3*time.Hour), q.To, tracker.CommentOnItem{Body: q.Answer, Choice: q.Chosen})
	}
}

func (p *plan) comments(e *entry, at time.Time, by string, in tracker.CommentOnItem) {
	p.events = append(p.events, event{at: at, by: by, of: e, in: func() any {
		in.Key = e.key
		return in
	}})
}

// filed is the call that files an item.
func (e *entry) filed() tracker.CreateItem {
	in := tracker.CreateItem{
		Project: e.project, Title: e.Title, Type: e.Type, Priority: e.Priority, Description: e.Text, Assignee: e.Who,
		Labels: e.Labels, Watchers: e.Watch, Due: e.due, References: e.refers,
	}
	if !e.start.IsZero() {
		in.Start = dated(e.start)
	}
	if in.Start > in.Due {
		in.Start = "" // it will begin late, which nobody knew then
	}
	if e.part != nil {
		in.Parent = e.part.key
	}
	for _, other := range e.after {
		in.WaitingOn = append(in.WaitingOn, other.key)
	}
	if e.Points > 0 {
		in.Points = &e.Points
	}
	if e.Minutes > 0 {
		in.Estimate = &e.Minutes
	}
	return in
}

// told puts what has happened by now in order, and numbers the items as the
// tracker will: each project counts its own.
func (p *plan) told() ([]Step, error) {
	slices.SortStableFunc(p.events, func(a, b event) int { return a.at.Compare(b.at) })
	numbers := map[string]int{}
	var steps []Step
	for _, ev := range p.events {
		if ev.at.After(p.now.Add(-cut)) {
			break
		}
		if ev.files {
			numbers[ev.of.project]++
			ev.of.key, ev.of.status = fmt.Sprintf("%s-%d", ev.of.project, numbers[ev.of.project]), "todo"
		}
		if ev.status != "" {
			ev.of.status = ev.status
		}
		steps = append(steps, Step{At: ev.at, By: ev.by, In: ev.in()})
	}
	for _, e := range p.entries {
		if e.key == "" {
			return nil, fmt.Errorf("the demo's %q is never filed", e.Title)
		}
	}
	return append(steps, p.queue("ada", "ada"), p.queue("ben", "ben"), p.queue("ada", "frame-designer"), p.queue("mila", "test-pilot")), nil
}

// queue is somebody's open work put in order: what is due first comes first.
func (p *plan) queue(by, whose string) Step {
	var open []*entry
	for _, e := range p.entries {
		if e.Who == whose && e.due != "" && slices.Contains(tracker.OpenStatuses(), e.status) {
			open = append(open, e)
		}
	}
	slices.SortStableFunc(open, func(a, b *entry) int { return cmp.Compare(a.due, b.due) })
	in := tracker.SetPriorities{Whose: whose}
	for _, e := range open[:min(len(open), 6)] {
		in.Items = append(in.Items, e.key)
	}
	return Step{At: p.now.Add(-cut), By: by, In: in}
}
