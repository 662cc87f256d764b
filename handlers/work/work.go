// Package work serves the tracker to people: the inbox, lists of items, a
// project, an item and its thread, and one's own work.
package work

import (
	"strings"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/tool"
	"crewlet/engine/tracker"
	"crewlet/handlers/web"
	"crewlet/views/prose"
	"crewlet/views/ui"

	view "crewlet/views/work"
)

// Handlers serve the tracker.
type Handlers struct {
	Run     *tool.Runner
	Tracker *tracker.Tracker
}

// mayDeclare reports whether the page that declares projects is the viewer's to
// see.
func mayDeclare(call *tool.Call) bool {
	return web.May(access.Operator(access.ConfigRead), call.By)
}

func personOf(p *tracker.Person) *view.Person {
	if p == nil {
		return nil
	}
	name := p.Name
	if strings.HasPrefix(name, "machine:") { // not one of those work is given to, so it has no name
		name = "A program"
	}
	return &view.Person{Handle: p.Handle, Name: name, Agent: p.Kind == "agent"}
}

func peopleOf(list []tracker.Person) []view.Person {
	people := []view.Person{}
	for _, p := range list {
		people = append(people, *personOf(&p))
	}
	return people
}

// knownOf tells who may be mentioned in a text.
func knownOf(list []tracker.Person) func(string) (string, bool) {
	names := map[string]string{}
	for _, p := range list {
		names[p.Handle] = p.Name
	}
	return func(handle string) (string, bool) {
		name, ok := names[handle]
		return name, ok
	}
}

func itemOf(it tracker.Item, now time.Time) view.Item {
	return view.Item{
		Key: it.Key, Title: it.Title, Status: it.Status, Priority: it.Priority, Type: it.Type, Assignee: personOf(it.Assignee), Labels: it.Labels,
		Due: it.Due, Late: late(it, now), Blocked: it.Blocked, Comments: it.Comments, OpenAsks: it.OpenAsks, Subtasks: it.Subtasks,
		SubtasksOpen: it.SubtasksOpen, Updated: it.UpdatedAt, Now: now,
	}
}

func itemsOf(list []tracker.Item, now time.Time) []view.Item {
	rows := make([]view.Item, 0, len(list))
	for _, it := range list {
		rows = append(rows, itemOf(it, now))
	}
	return rows
}

// late reports that open work is past its day or instant, for its colour; the
// filter of the same name is cut on the company's clock.
func late(it tracker.Item, now time.Time) bool {
	if it.Due == "" || it.StatusGroup == "done" || it.StatusGroup == "closed" {
		return false
	}
	if at, err := time.Parse(time.RFC3339, it.Due); err == nil {
		return at.Before(now)
	}
	return it.Due < now.UTC().Format(time.DateOnly)
}

func listsOf(l tracker.Lists) view.Lists {
	return view.Lists{Types: l.Types, Statuses: l.Statuses, Priorities: l.Priorities}
}

// lists are the words items are described with.
func lists() view.Lists {
	return listsOf(tracker.Lists{Types: tracker.Types(), Statuses: tracker.Statuses(), Priorities: tracker.Priorities()})
}

// askOf is a question as a page draws it; action is where its answer goes.
func (h *Handlers) askOf(a tracker.Asked, call *tool.Call, known func(string) (string, bool), action string) view.Ask {
	out := view.Ask{
		ID: a.ID, Item: a.Item, Title: a.Title, From: personOf(a.Asker), To: personOf(a.To), Text: prose.Text{Markdown: a.Body, Known: known},
		Multi: a.Multi, Free: a.Free, Due: a.Due, State: a.State, Form: view.Form{Key: tool.NewKey()}, Action: action,
	}
	may := web.May(h.Tracker.AnswerAsk.Access, call.By)
	out.Mine, out.InPlace = a.Mine && may, a.InPlace && may
	for _, o := range a.Options {
		out.Options = append(out.Options, view.Option{ID: o.ID, Label: o.Label, Consequence: o.Consequence})
	}
	if a.Answer != nil {
		answer := view.Answer{By: personOf(a.Answer.By), InPlace: a.Answer.InPlace, Text: prose.Text{Markdown: a.Answer.Body, Known: known}, At: ui.TimeView{At: a.Answer.At, Now: call.Now}}
		for _, o := range a.Answer.Choice {
			answer.Said = append(answer.Said, o.Label)
		}
		out.Answer = &answer
	}
	return out
}
