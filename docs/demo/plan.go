package demo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"crewlet/engine/tool"
	"crewlet/engine/tracker"
)

const (
	day     = 24 * time.Hour
	weeks   = 42 * day // how far back the story goes
	between = 5 * day  // from one kite's beginning to the next's
	// read is how long ago the leads last went through their inboxes.
	read = 9 * day
	// cut is how long before now the last of it happened: what would follow is
	// still to come.
	cut = 10 * time.Minute
)

// Step is one call: when, from whose seat, and what it is asked. In is a
// WriteProject, CreateItem, UpdateItem, CommentOnItem, MarkInbox or
// SetPriorities of the tracker's.
type Step struct {
	At time.Time
	By string // a handle
	In any
}

// entry is an item on the plan.
type entry struct {
	Task
	project       string
	part          *entry // what it is part of
	after         []*entry
	refers        []string
	created       time.Time
	start, finish time.Time // of its work; zero where none is planned
	due           string
	key, status   string // once it is filed
}

// event is a step to be: its arguments hold keys, which are known when those
// before it have happened.
type event struct {
	at     time.Time
	by     string
	of     *entry
	files  bool
	status string
	in     func() any
}

type plan struct {
	now     time.Time
	chance  *rand.Rand
	entries []*entry
	titled  map[string]*entry
	events  []event
}

// Story is the company's work up to now, in the order it happened. The same
// moment makes the same story; another makes the same one, moved.
func Story(now time.Time) ([]Step, error) {
	b, err := readBook()
	if err != nil {
		return nil, err
	}
	p := &plan{now: now, chance: rand.New(rand.NewPCG(7, 41)), titled: map[string]*entry{}}
	p.begin(b.Projects)
	for k, kite := range b.Kites {
		for n, l := range b.Lines {
			begins := now.Add(-weeks + day + time.Duration(k)*between)
			if err := p.line(l, kite, begins, time.Duration(n)*20*time.Minute); err != nil {
				return nil, err
			}
		}
	}
	for _, l := range b.Loose {
		if err := p.loose(l); err != nil {
			return nil, err
		}
	}
	return p.told()
}

// begin names the projects and declares the labels they use. Whoever leads one
// has read what is older.
func (p *plan) begin(projects []project) {
	for _, one := range projects {
		in := tracker.WriteProject{Key: one.Key, Name: &one.Name, Purpose: &one.Purpose, Declare: one.Labels}
		if one.Takes != "" {
			in.DefaultAssignee = tool.Some(one.Takes)
		}
		p.events = append(p.events, event{at: p.now.Add(-weeks), by: one.Lead, in: func() any { return in }})
		p.events = append(p.events, event{at: p.now.Add(-read), by: one.Lead, in: func() any { return tracker.MarkInbox{All: true, As: "read"} }})
	}
}

// enter puts an item on the plan. What it waits for has to be there already.
func (p *plan) enter(e *entry) error {
	for _, title := range e.Waits {
		other, ok := p.titled[title]
		if !ok {
			return fmt.Errorf("the demo's %q waits for %q, which is not before it", e.Title, title)
		}
		e.after = append(e.after, other)
	}
	if p.titled[e.Title] != nil {
		return fmt.Errorf("the demo has two items called %q", e.Title)
	}
	p.titled[e.Title] = e
	p.entries = append(p.entries, e)
	p.events = append(p.events, event{at: e.created, by: e.By, of: e, files: true, in: func() any { return e.filed() }})
	return nil
}

// line plans what one project does for one kite. A part begins when its turn
// has come and what it waits for is finished; some take longer than planned.
func (p *plan) line(l line, k kite, begins time.Time, later time.Duration) error {
	words := strings.NewReplacer("{kite}", k.Name, "{span}", k.Span, "{weight}", k.Weight, "{wind}", k.Wind, "{paper}", k.Paper)
	whole := &entry{Task: l.Whole.about(words), project: l.Project, created: begins.Add(later - day)}
	if err := p.enter(whole); err != nil {
		return err
	}
	at := func(n int) time.Time { return begins.Add(days(l.From + float64(n)*l.Each)) }
	whole.due = dated(at(len(l.Parts)))
	var before *entry
	for n, t := range l.Parts {
		e := &entry{Task: t.about(words), project: l.Project, part: whole, created: whole.created.Add(time.Duration(n+1) * time.Minute), start: at(n), due: dated(at(n + 1))}
		if err := p.enter(e); err != nil {
			return err
		}
		if before != nil && !e.Free && !slices.Contains(e.after, before) {
			e.after = append(e.after, before)
		}
		for _, other := range slices.Concat(e.after, whole.after) {
			if other.finish.After(e.start) {
				e.start = other.finish.Add(time.Hour)
			}
		}
		takes := []float64{0.7, 0.9, 0.9, 1, 1.4}[p.chance.IntN(5)]
		e.finish = e.start.Add(days(l.Each * takes))
		before = e
		p.worked(e)
	}
	p.whole(whole)
	return nil
}

// whole moves an item with its parts: begun with the first, done after the
// last.
func (p *plan) whole(e *entry) {
	for _, part := range p.entries {
		if part.part != e {
			continue
		}
		if e.start.IsZero() || part.start.Before(e.start) {
			e.start = part.start
		}
		if part.finish.After(e.finish) {
			e.finish = part.finish
		}
	}
	e.finish = e.finish.Add(6 * time.Hour)
	p.moves(e, e.start.Add(time.Minute), e.Who, "in_progress")
	p.moves(e, e.finish, e.By, "done")
}

// worked is how a part is done, and what is said meanwhile.
func (p *plan) worked(e *entry) {
	p.moves(e, e.start, e.Who, "in_progress")
	took := e.finish.Sub(e.start)
	for i, s := range e.Talk {
		if p.chance.IntN(100) < 55 {
			p.says(e, e.start.Add(took*time.Duration(i+1)/time.Duration(len(e.Talk)+2)), s)
		}
	}
	if e.Review == "" {
		p.moves(e, e.finish, e.Who, "done")
		return
	}
	p.moves(e, e.finish.Add(-took/8), e.Who, "in_review")
	p.moves(e, e.finish, e.Review, "done")
}

func days(n float64) time.Duration { return time.Duration(n * float64(day)) }

func dated(at time.Time) string { return at.UTC().Format(time.DateOnly) }

// about is a task with a kite's words in its texts.
func (t Task) about(words *strings.Replacer) Task {
	t.Title, t.Text = words.Replace(t.Title), words.Replace(t.Text)
	t.Waits = slices.Clone(t.Waits)
	for i := range t.Waits {
		t.Waits[i] = words.Replace(t.Waits[i])
	}
	t.Talk = slices.Clone(t.Talk)
	for i := range t.Talk {
		t.Talk[i].Says = words.Replace(t.Talk[i].Says)
	}
	return t
}
