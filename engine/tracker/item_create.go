package tracker

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/org"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// CreateItem is what create_work_item is asked.
type CreateItem struct {
	Project      string   `json:"project,omitempty" validate:"max=10" jsonschema:"key, such as ENG; the project of your own unit when left out"`
	Title        string   `json:"title" validate:"required,max=300" jsonschema:"one line, as people will read it"`
	Type         string   `json:"type,omitempty" validate:"omitempty,oneof=task bug epic story spike chore milestone" jsonschema:"task when left out"`
	Description  string   `json:"description,omitempty" text:"lines" jsonschema:"Markdown, at most 128 KiB"`
	Status       string   `json:"status,omitempty" validate:"omitempty,oneof=todo in_progress in_review done cancelled closed" jsonschema:"todo when left out"`
	Priority     string   `json:"priority,omitempty" validate:"omitempty,oneof=none low normal high urgent" jsonschema:"normal when left out"`
	Assignee     string   `json:"assignee,omitempty" validate:"max=200" jsonschema:"handle, login or name; me; none for triage; the project's default when left out"`
	Parent       string   `json:"parent,omitempty" validate:"max=30" jsonschema:"key of the item this is part of, in the same project"`
	Start        string   `json:"start,omitempty" validate:"max=40" jsonschema:"a day (2031-04-16), an instant with offset, today, tomorrow, eow, eom or +7d"`
	Due          string   `json:"due,omitempty" validate:"max=40" jsonschema:"as start"`
	Estimate     *int     `json:"estimate_minutes,omitempty" validate:"omitempty,min=0,max=10000000" jsonschema:"how long it takes"`
	Points       *float64 `json:"points,omitempty" validate:"omitempty,min=0,max=100000" jsonschema:"how large it is"`
	Labels       []string `json:"labels,omitempty" validate:"max=40,dive,max=100" jsonschema:"labels the project has declared"`
	CreateLabels bool     `json:"labels_create_missing,omitempty" jsonschema:"declare labels that are missing"`
	Watchers     []string `json:"watchers,omitempty" validate:"max=64,dive,max=200" jsonschema:"who is to hear of its changes"`
	WaitingOn    []string `json:"waiting_on,omitempty" validate:"max=64,dive,max=30" jsonschema:"keys of items that have to be finished first"`
	References   []string `json:"references,omitempty" validate:"max=40,dive,max=2000" jsonschema:"addresses outside, http or https"`
	Duplicate    bool     `json:"allow_duplicate,omitempty" jsonschema:"file it although an open item has the same title there"`
	Ask          *Ask     `json:"ask,omitempty" jsonschema:"a question to somebody, filed with the item"`
}

// Object names the project, for the record of a call that was refused.
func (a CreateItem) Object() string { return projectObject(a.Project) }

func declareCreateItem(t *Tracker) tool.Use[CreateItem, Item] {
	return tool.Declare(tool.Spec{
		Name:     "create_work_item",
		Title:    "File an item",
		Brief:    "File a new work item. Without an assignee the project's default takes it, or it waits in triage. If an open item has the same title, the call is refused as exists, with that item. With ask, somebody is asked a question in the same step.",
		Access:   access.Write(access.WorkWrite),
		Audience: tool.Operators | tool.Seats,
		Delivers: "tracker",
	}, t.createItem).Reserving(func(it Item) string { return it.Key })
}

func (t *Tracker) createItem(ctx context.Context, c *tool.Call, in CreateItem) (Item, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return Item{}, err
	}
	key, err := t.homeProject(ctx, c, dir, in.Project)
	if err != nil {
		return Item{}, err
	}
	if err := lockProjectsOf(ctx, c, append(slices.Clone(in.WaitingOn), key+"-1")); err != nil {
		return Item{}, err
	}
	p, err := findProject(ctx, c.Tx, key)
	if err != nil {
		return Item{}, asArgument(err, "project")
	}
	if p.ArchivedAt != nil {
		return Item{}, refusal.Invalid.Say("%s is archived and takes no new items.", p.Key).On("project")
	}
	it, err := t.drawItem(ctx, c, dir, p, in)
	if err != nil {
		return Item{}, err
	}
	if !in.Duplicate {
		if err := t.refuseDuplicate(ctx, c, dir, it); err != nil {
			return Item{}, err
		}
	}
	if err := insertItem(ctx, c, &it, in.Description); err != nil {
		return Item{}, err
	}
	return t.afterCreate(ctx, c, dir, it, in)
}

// homeProject is the project an item goes to when its caller names none: that
// of their own unit.
func (t *Tracker) homeProject(ctx context.Context, c *tool.Call, dir *org.Directory, named string) (string, error) {
	if named != "" {
		return named, nil
	}
	if own := ownProject(dir, c.By); own != "" {
		return own, nil
	}
	var keys []string
	if err := c.Tx.SelectContext(ctx, &keys, projectKeys); err != nil {
		return "", fmt.Errorf("list the projects: %w", err)
	}
	return "", refusal.Invalid.Say("You are in no unit that has a project, so name one: %s.", strings.Join(keys, ", ")).On("project").With("projects", keys)
}

// ownProject is the project of the unit a caller is in, or of one above it.
func ownProject(dir *org.Directory, by access.Principal) string {
	m, ok := dir.Member(by.Party())
	if !ok {
		return ""
	}
	for u, ok := dir.Unit(m.Unit); ok; u, ok = dir.Unit(u.Parent) {
		if u.Project != "" {
			return u.Project
		}
	}
	return ""
}

// drawItem is the row to be: every name resolved, every rule asked.
func (t *Tracker) drawItem(ctx context.Context, c *tool.Call, dir *org.Directory, p project, in CreateItem) (item, error) {
	it := item{
		ID: uuid.Must(uuid.NewV7()).String(), Project: p.Key, Type: in.Type, Title: strings.TrimSpace(in.Title), Status: in.Status, Priority: normal,
		Reporter: c.By.Party(), Unit: p.Unit, RoutingUnit: p.Unit, Version: 1, CreatedAt: c.Now, UpdatedAt: c.Now,
	}
	var d draft
	d.title(&it)
	d.description(in.Description)
	if it.Type == "" {
		it.Type = types[0]
	}
	if it.Status == "" {
		it.Status = statuses[0]
	}
	if in.Priority != "" {
		it.Priority = priorityOf(in.Priority)
	}
	if in.Estimate != nil {
		it.Estimate.Int64, it.Estimate.Valid = int64(*in.Estimate), true
	}
	if in.Points != nil {
		it.Points.Float64, it.Points.Valid = *in.Points, true
	}
	d.note(t.dates(ctx, c, &it, in.Start, in.Due))
	d.note(assign(c, dir, &it, p, in.Assignee))
	d.note(checkURLs(in.References))
	it.URLs = append(pq.StringArray{}, in.References...)
	if in.Parent != "" {
		d.note(t.hang(ctx, c, &it, in.Parent))
	}
	labels, err := t.labelled(ctx, c, p.Key, in.Labels, in.CreateLabels)
	d.note(err)
	it.Labels = append(pq.StringArray{}, labels...)
	return it, d.refused()
}

// assign gives a new item to whom it names, else to the project's default.
func assign(c *tool.Call, dir *org.Directory, it *item, p project, word string) error {
	if word == "" {
		it.Assignee = p.DefaultAssignee
		return nil
	}
	party, err := partyNamed(c, dir, word, "assignee")
	it.Assignee = party
	return err
}

const sameTitle = `
	SELECT ` + itemColumns + ` FROM items i
	WHERE i.project = $1 AND i.folded = $2 AND i.open AND i.parent IS NOT DISTINCT FROM $3::uuid ORDER BY i.no LIMIT 1`

// refuseDuplicate answers the open item that has this title already. The
// project is locked, so two at once cannot miss each other.
func (t *Tracker) refuseDuplicate(ctx context.Context, c *tool.Call, dir *org.Directory, it item) error {
	var same []item
	if err := c.Tx.SelectContext(ctx, &same, sameTitle, it.Project, folded(it.Title), it.Parent); err != nil {
		return fmt.Errorf("look for an item like %q: %w", it.Title, err)
	}
	if len(same) == 0 {
		return nil
	}
	return refusal.Exists.Say("%s is open and has this title. Use it, or send allow_duplicate to file another.", same[0].Key()).
		With("item", same[0].told(dir))
}

const (
	takeNumber = `UPDATE projects SET next_no = next_no + 1 WHERE key = $1 RETURNING next_no - 1`
	newItem    = `
		INSERT INTO items (id, project, no, type, title, folded, description, edition, status, priority, assignee, reporter, unit,
			routing_unit, labels, urls, parent, depth, start_on, start_at, due_on, due_at, estimate_minutes, points, created_at, updated_at, closed_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $25, $26)`
	newEdition = `INSERT INTO item_editions (item, edition, text, author, author_name, at) VALUES ($1, $2, $3, $4, $5, $6)`
)

func insertItem(ctx context.Context, c *tool.Call, it *item, description string) error {
	if err := c.Tx.GetContext(ctx, &it.No, takeNumber, it.Project); err != nil {
		return fmt.Errorf("take a number of %s: %w", it.Project, err)
	}
	if description != "" {
		it.Edition = 1
	}
	if over(it.Status) {
		it.ClosedAt.Time, it.ClosedAt.Valid = c.Now, true
	}
	_, err := c.Tx.ExecContext(ctx, newItem, it.ID, it.Project, it.No, it.Type, it.Title, folded(it.Title), description, it.Edition, it.Status,
		it.Priority, it.Assignee, it.Reporter, it.Unit, it.RoutingUnit, it.Labels, it.URLs, it.Parent, it.Depth, it.StartOn, it.StartAt,
		it.DueOn, it.DueAt, it.Estimate, it.Points, c.Now, it.ClosedAt)
	if err != nil {
		return fmt.Errorf("insert an item of %s: %w", it.Project, err)
	}
	if description == "" {
		return nil
	}
	if _, err := c.Tx.ExecContext(ctx, newEdition, it.ID, it.Edition, description, c.By.Key(), c.By.Name, c.Now); err != nil {
		return fmt.Errorf("keep the description of %s: %w", it.Key(), err)
	}
	return nil
}

// afterCreate is all that follows from an item being there: counts, links,
// who watches, who is told.
func (t *Tracker) afterCreate(ctx context.Context, c *tool.Call, dir *org.Directory, it item, in CreateItem) (Item, error) {
	c.Changed("item.created", it.object(), map[string]changes.Delta{"title": {To: it.Title}, "status": {To: it.Status}, "assignee": {To: calledBy(dir, it.Assignee)}})
	c.About(it.object())
	if err := moved(ctx, c, it.Project, "", groupOf(it.Status)); err != nil {
		return Item{}, err
	}
	if err := t.countChild(ctx, c, it, "", it.Status); err != nil {
		return Item{}, err
	}
	if _, err := t.link(ctx, c, &it, linksOf{kind: "waiting_on", argument: "waiting_on", add: in.WaitingOn}); err != nil {
		return Item{}, err
	}
	if _, err := t.follow(ctx, c, dir, it, "watcher", "watchers", in.Watchers, nil); err != nil {
		return Item{}, err
	}
	if err := watch(ctx, c, it, mentionedIn(dir, in.Description)); err != nil {
		return Item{}, err
	}
	var asked *Asked
	if in.Ask != nil {
		s, err := t.openAsk(ctx, c, &it, *in.Ask, dir)
		if err != nil {
			return Item{}, err
		}
		put, err := said(ctx, c, dir, it, s)
		if err != nil {
			return Item{}, err
		}
		asked = put.Ask
	}
	reached, err := t.reachedByCreate(ctx, c, dir, it, in.Description)
	if err != nil {
		return Item{}, err
	}
	if err := t.tell(ctx, c, it, notice{Kind: "item.created", Summary: "filed " + it.Title}, reached); err != nil {
		return Item{}, err
	}
	out := it.told(dir)
	out.Ask = asked
	return out, nil
}
