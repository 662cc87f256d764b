package tracker

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"slices"

	"github.com/lib/pq"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/refusal"
)

// maxHands is how often seats hand an item on before a person has to touch it.
const maxHands = 5

// fresh refuses an update of something newer than its author read, and says
// what changed since.
func (e *edit) fresh(ctx context.Context) error {
	switch {
	case e.in.IfMatch > e.was.Version:
		return refusal.Invalid.Say("%s has version %d; there was never a version %d.", e.was.Key(), e.was.Version, e.in.IfMatch).On("if_match")
	case e.in.IfMatch > 0 && e.in.IfMatch < e.was.Version:
		return e.stale(ctx, e.in.IfMatch, "%s is at version %d now; you read %d. What changed since is with this answer.")
	case e.in.Description != nil && e.in.BaseVersion == 0 && e.in.IfMatch == 0:
		return refusal.Invalid.Say("A description is saved over the one you read: send base_version, the version of the item you read it from. It is %d now.", e.was.Version).On("base_version")
	case e.in.Description != nil && e.in.IfMatch == 0 && e.in.BaseVersion < e.was.Edition:
		return e.stale(ctx, e.in.BaseVersion, "Somebody saved another description of %s: it is at version %d now; you read %d.")
	}
	return nil
}

const changedSince = `
	SELECT position, at, actor, actor_name, recorded_as, credential, kind, object, deltas FROM changes
	WHERE object = $1 AND kind IN ('item.created', 'item.updated') ORDER BY position DESC LIMIT $2`

func (e *edit) stale(ctx context.Context, read int, says string) error {
	var since []changes.Change
	if err := e.c.Tx.SelectContext(ctx, &since, changedSince, e.was.object(), min(e.was.Version-read, 50)); err != nil {
		return fmt.Errorf("read what changed %s: %w", e.was.Key(), err)
	}
	return refusal.Stale.Say(says, e.was.Key(), e.was.Version, read).
		With("version", e.was.Version).With("current", e.was.told(e.dir)).With("changed", since)
}

func (e *edit) describe(d *draft) {
	if e.in.Description == nil {
		return
	}
	e.text, e.save = *e.in.Description, true
	d.description(e.text)
}

func (e *edit) measure() {
	if m := e.in.Estimate; m.Given {
		e.now.Estimate = sql.NullInt64{Int64: int64(m.Value), Valid: !m.Null}
	}
	if m := e.in.Points; m.Given {
		e.now.Points = sql.NullFloat64{Float64: m.Value, Valid: !m.Null}
	}
}

// schedule reads the dates named; the other keeps its place, and the two have
// to agree.
func (e *edit) schedule(ctx context.Context) error {
	if !e.in.Start.Given && !e.in.Due.Given {
		return nil
	}
	start, due := when(e.was.StartOn, e.was.StartAt), when(e.was.DueOn, e.was.DueAt)
	if e.in.Start.Given {
		start = e.in.Start.Value
	}
	if e.in.Due.Given {
		due = e.in.Due.Value
	}
	return e.t.dates(ctx, e.c, &e.now, start, due)
}

// handOver gives the item to somebody else. Seats may hand one on only so
// often before a person touches it.
func (e *edit) handOver() error {
	if e.c.By.Kind != access.Seat {
		e.now.Handed = 0
	}
	if !e.in.Assignee.Given {
		return nil
	}
	party, err := partyNamed(e.c, e.dir, e.in.Assignee.Value, "assignee")
	if err != nil || party == e.was.Assignee {
		return err
	}
	e.now.Assignee = party
	if e.c.By.Kind != access.Seat {
		return nil
	}
	if e.now.Handed++; e.now.Handed > maxHands {
		return refusal.ReassignmentBudget.Say("%s was handed on %d times between seats. Leave it where it is; a person may move it.", e.was.Key(), maxHands).On("assignee")
	}
	return nil
}

// route says which unit's lead hears of the item. A seat says so only where it
// leads the project.
func (e *edit) route(ctx context.Context, unit string) error {
	if unit != e.was.RoutingUnit && e.c.By.Kind == access.Seat {
		p, err := findProject(ctx, e.c.Tx, e.was.Project)
		if err != nil {
			return err
		}
		if err := ledBy(e.dir, p, e.c.By); err != nil {
			return err
		}
	}
	if unit != "" {
		if _, ok := e.dir.Unit(unit); !ok {
			var ids []string
			for _, u := range e.dir.Units() {
				ids = append(ids, u.ID)
			}
			return refusal.Invalid.Say("There is no unit %q.", unit).On("routing_unit").With("units", ids)
		}
	}
	e.now.RoutingUnit = unit
	return nil
}

// compare notes what is different, field by field, as people read it.
func (e *edit) compare() {
	was, now := e.was.told(e.dir), e.now.told(e.dir)
	note := func(field string, from, to any) {
		if !reflect.DeepEqual(from, to) {
			e.deltas[field] = changes.Delta{From: from, To: to}
		}
	}
	note("title", was.Title, now.Title)
	note("type", was.Type, now.Type)
	note("status", was.Status, now.Status)
	note("priority", was.Priority, now.Priority)
	note("assignee", calledBy(e.dir, e.was.Assignee), calledBy(e.dir, e.now.Assignee))
	note("start", was.Start, now.Start)
	note("due", was.Due, now.Due)
	note("estimate_minutes", value(was.Estimate), value(now.Estimate))
	note("points", value(was.Points), value(now.Points))
	note("parent", was.Parent, now.Parent)
	note("routing_unit", was.RoutingUnit, now.RoutingUnit)
	if _, moved := e.deltas["assignee"]; moved && e.in.Reason != "" {
		e.deltas["reason"] = changes.Delta{To: e.in.Reason}
	}
}

func value[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

// sets changes the labels, references and followers.
func (e *edit) sets(ctx context.Context) error {
	if err := e.label(ctx); err != nil {
		return err
	}
	if s := e.in.References; s != nil {
		e.now.URLs = s.on(e.was.URLs)
		if err := checkURLs(e.now.URLs); err != nil {
			return err
		}
		e.both("references", e.was.URLs, e.now.URLs)
	}
	for role, set := range map[string]*Sets{"watcher": e.in.Watchers, "collaborator": e.in.Collaborators} {
		if err := e.followed(ctx, role, set); err != nil {
			return err
		}
	}
	return nil
}

func (e *edit) label(ctx context.Context) error {
	s := e.in.Labels
	if s == nil {
		return nil
	}
	words := s.Add
	if s.Set != nil {
		words = *s.Set
	}
	coming, err := e.t.labelled(ctx, e.c, e.was.Project, words, e.in.CreateLabels)
	if err != nil {
		return err
	}
	var going []string
	for _, word := range s.Remove {
		going = append(going, slugged(word))
	}
	change := Sets{Add: coming, Remove: going}
	if s.Set != nil {
		change = Sets{Set: &coming}
	}
	e.now.Labels = change.on(e.was.Labels)
	if len(e.now.Labels) > maxLabels {
		return refusal.Invalid.Say("An item has at most %d labels; this one would have %d.", maxLabels, len(e.now.Labels)).On("labels")
	}
	e.both("labels", e.was.Labels, e.now.Labels)
	return nil
}

// on is a set after the change.
func (s Sets) on(was []string) pq.StringArray {
	now := pq.StringArray{}
	from := was
	if s.Set != nil {
		from = *s.Set
	}
	for _, word := range slices.Concat(from, s.Add) {
		if !slices.Contains(now, word) && !slices.Contains(s.Remove, word) {
			now = append(now, word)
		}
	}
	return now
}

// both notes a set's change as what left and what joined.
func (e *edit) both(field string, was, now []string) {
	var out, in []string
	for _, word := range was {
		if !slices.Contains(now, word) {
			out = append(out, word)
		}
	}
	for _, word := range now {
		if !slices.Contains(was, word) {
			in = append(in, word)
		}
	}
	e.swapped(field, out, in)
}

func (e *edit) swapped(field string, out, in []string) {
	if len(out)+len(in) == 0 {
		return
	}
	d := changes.Delta{}
	if len(out) > 0 {
		d.From = out
	}
	if len(in) > 0 {
		d.To = in
	}
	e.deltas[field] = d
}
