package tracker

import (
	"context"
	"strings"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/org"
	"crewlet/engine/tool"
)

// Sets changes a set: what joins and what leaves it, or all of it.
type Sets struct {
	Add    []string  `json:"add,omitempty" validate:"max=64,dive,max=2000"`
	Remove []string  `json:"remove,omitempty" validate:"max=64,dive,max=2000"`
	Set    *[]string `json:"set,omitempty" validate:"omitempty,max=64,dive,max=2000"`
}

// UpdateItem is what update_work_item is asked. What is left out stays.
type UpdateItem struct {
	Key           string              `json:"key" validate:"required,max=30" jsonschema:"such as ENG-412"`
	IfMatch       int                 `json:"if_match,omitempty" validate:"min=0" jsonschema:"the version you read; refused when it is newer"`
	Title         *string             `json:"title,omitempty" validate:"omitempty,max=300" jsonschema:"one line"`
	Description   *string             `json:"description,omitempty" text:"lines" jsonschema:"Markdown, the whole text; send base_version with it"`
	BaseVersion   int                 `json:"base_version,omitempty" validate:"min=0" jsonschema:"the version of the item when you read its description"`
	Type          string              `json:"type,omitempty" validate:"omitempty,oneof=task bug epic story spike chore milestone" jsonschema:"what kind of work"`
	Status        string              `json:"status,omitempty" validate:"omitempty,oneof=todo in_progress in_review done cancelled closed" jsonschema:"where it stands"`
	Priority      string              `json:"priority,omitempty" validate:"omitempty,oneof=none low normal high urgent" jsonschema:"how urgent"`
	Assignee      tool.Maybe[string]  `json:"assignee,omitzero" jsonschema:"handle, login or name; me; null for nobody"`
	Reason        string              `json:"reason,omitempty" validate:"max=1000" text:"lines" jsonschema:"why it changes hands, shown to them and in the history"`
	Start         tool.Maybe[string]  `json:"start,omitzero" jsonschema:"day, instant, today, tomorrow, eow, eom, +7d; null clears"`
	Due           tool.Maybe[string]  `json:"due,omitzero" jsonschema:"as start"`
	Estimate      tool.Maybe[int]     `json:"estimate_minutes,omitzero" jsonschema:"how long it takes; null clears"`
	Points        tool.Maybe[float64] `json:"points,omitzero" jsonschema:"how large it is; null clears"`
	Parent        tool.Maybe[string]  `json:"parent,omitzero" jsonschema:"key of an item in the same project; null takes it out"`
	RoutingUnit   *string             `json:"routing_unit,omitempty" validate:"omitempty,max=64" jsonschema:"id of the unit whose lead hears of it"`
	Labels        *Sets               `json:"labels,omitempty" jsonschema:"of those the project has declared"`
	CreateLabels  bool                `json:"labels_create_missing,omitempty" jsonschema:"declare labels that are missing"`
	Watchers      *Sets               `json:"watchers,omitempty" jsonschema:"who hears of its changes"`
	Collaborators *Sets               `json:"collaborators,omitempty" jsonschema:"who works on it beside the assignee"`
	WaitingOn     *Sets               `json:"waiting_on,omitempty" jsonschema:"keys of items it has to wait for"`
	Blocking      *Sets               `json:"blocking,omitempty" jsonschema:"keys of items that wait for it"`
	Linked        *Sets               `json:"linked,omitempty" jsonschema:"keys of related items"`
	Duplicates    *Sets               `json:"duplicates,omitempty" jsonschema:"keys of items it duplicates"`
	References    *Sets               `json:"references,omitempty" jsonschema:"addresses outside"`
}

// Object names the item, for the record of a call that was refused.
func (a UpdateItem) Object() string { return itemObject(a.Key) }

func declareUpdateItem(t *Tracker) tool.Use[UpdateItem, Item] {
	return tool.Declare(tool.Spec{
		Name:     "update_work_item",
		Title:    "Change an item",
		Brief:    "Change what is named of a work item and leave the rest. Lists such as labels take {add, remove}, or {set}: the whole list. With if_match the call is refused when somebody changed the item since.",
		Access:   access.Write(access.WorkWrite),
		Audience: tool.Operators | tool.Seats,
		Delivers: "tracker",
	}, t.updateItem)
}

// edit is an update on its way: what the item was, what it becomes, and what
// the log will say of it.
type edit struct {
	t      *Tracker
	c      *tool.Call
	dir    *org.Directory
	in     UpdateItem
	was    item
	now    item
	text   string // the new description
	before string // the one it replaces
	save   bool   // a new description is saved
	deltas map[string]changes.Delta
	joined []string // parties that began to follow it
}

func (t *Tracker) updateItem(ctx context.Context, c *tool.Call, in UpdateItem) (Item, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return Item{}, err
	}
	if err := t.lockEnds(ctx, c, in); err != nil {
		return Item{}, err
	}
	was, err := t.lockItem(ctx, c.Tx, in.Key)
	if err != nil {
		return Item{}, err
	}
	c.About(was.object())
	e := &edit{t: t, c: c, dir: dir, in: in, was: was, now: was, deltas: map[string]changes.Delta{}}
	if err := e.fresh(ctx); err != nil {
		return Item{}, err
	}
	for _, step := range []func(context.Context) error{e.draw, e.differ, e.sets, e.links} {
		if err := step(ctx); err != nil {
			return Item{}, err
		}
	}
	if len(e.deltas) == 0 {
		c.Unchanged()
		return was.told(dir), nil
	}
	if err := e.store(ctx); err != nil {
		return Item{}, err
	}
	return e.now.told(dir), e.follows(ctx)
}

// lockEnds holds the projects concerned, in the order of their keys: whoever
// changes work in a project changes its counts, and graphs are decided whole.
func (t *Tracker) lockEnds(ctx context.Context, c *tool.Call, in UpdateItem) error {
	keys := []string{in.Key}
	for _, set := range []*Sets{in.WaitingOn, in.Blocking, in.Linked, in.Duplicates} {
		if set != nil {
			keys = append(keys, set.Add...)
			keys = append(keys, set.Remove...)
			if set.Set != nil {
				keys = append(keys, *set.Set...)
			}
		}
	}
	return lockProjectsOf(ctx, c, keys)
}

// draw puts the plain fields on the item, each by its own rule; all that is
// wrong is told at once.
func (e *edit) draw(ctx context.Context) error {
	var d draft
	in, now := e.in, &e.now
	if in.Title != nil {
		now.Title = strings.TrimSpace(*in.Title)
		d.title(now)
	}
	e.describe(&d)
	if in.Type != "" {
		now.Type = in.Type
	}
	if in.Status != "" {
		now.Status = in.Status
	}
	if in.Priority != "" {
		now.Priority = priorityOf(in.Priority)
	}
	e.measure()
	d.note(e.schedule(ctx))
	d.note(e.handOver())
	if in.Parent.Given {
		d.note(e.t.hang(ctx, e.c, now, in.Parent.Value))
	}
	if in.RoutingUnit != nil {
		d.note(e.route(ctx, *in.RoutingUnit))
	}
	if err := d.refused(); err != nil {
		return err
	}
	e.compare()
	return nil
}
