package tracker

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lib/pq"

	"crewlet/engine/access"
	"crewlet/engine/org"
	"crewlet/engine/tool"
)

// TaskActivity is what task_activity is asked.
type TaskActivity struct {
	Item       string `json:"item,omitempty" validate:"max=30" jsonschema:"key of one item; with neither item nor project all work"`
	Project    string `json:"project,omitempty" validate:"max=10" jsonschema:"key of one project"`
	Kind       string `json:"kind,omitempty" validate:"max=40" jsonschema:"such as item.updated, or an area: comment for comment.added and the others"`
	Author     string `json:"author,omitempty" validate:"max=200" jsonschema:"handle, login or name; me"`
	AuthorKind string `json:"author_kind,omitempty" validate:"omitempty,oneof=agent human operator system" jsonschema:"changes by agents, by people in seats, by operators or by the program alone"`
	Since      string `json:"since,omitempty" validate:"max=40" jsonschema:"a day, an instant with offset, today or -7d"`
	Until      string `json:"until,omitempty" validate:"max=40" jsonschema:"as since; a day counts whole"`
	Cursor     string `json:"cursor,omitempty" validate:"max=20" jsonschema:"next of the last answer, or an item's history_next"`
	Limit      int    `json:"limit,omitempty" validate:"min=0,max=100" jsonschema:"at most so many; 50 when left out"`
	// Describe asks for what a page draws around the list.
	Describe bool `json:"-"`
}

// Activity is a page of what happened, the newest first.
type Activity struct {
	Events []Event `json:"events"`
	Next   string  `json:"next,omitempty" jsonschema:"send it as cursor for older ones"`
	AsOf   int64   `json:"as_of"`
	// Around is what a page asked for beside the list.
	Around ActivityAround `json:"-"`
}

// ActivityAround is the project a history is of, who there is to have done
// something, and the keys of the projects it could be narrowed to.
type ActivityAround struct {
	Project   *Project
	Everybody []Person
	Projects  []string
}

func declareTaskActivity(t *Tracker) tool.Use[TaskActivity, Activity] {
	return tool.Declare(tool.Spec{
		Name:     "task_activity",
		Title:    "History of work",
		Brief:    "List what happened to an item, in a project, or everywhere: who changed what from what to what, the newest first.",
		Access:   access.Read(access.StateRead),
		Audience: tool.Operators | tool.Seats,
		Mode:     tool.Read,
	}, t.taskActivity)
}

func (t *Tracker) taskActivity(ctx context.Context, c *tool.Call, in TaskActivity) (Activity, error) {
	if in.Limit == 0 {
		in.Limit = historyPage
	}
	dir, err := t.directory(ctx, c)
	if err != nil {
		return Activity{}, err
	}
	zone, err := t.zone(ctx, c)
	if err != nil {
		return Activity{}, err
	}
	w := &where{by: c.By, dir: dir, now: c.Now, zone: zone}
	if err := w.narrow(in); err != nil {
		return Activity{}, err
	}
	var rows []happened
	if err := c.Tx.SelectBuilt(ctx, &rows, w.history(in), w.args...); err != nil {
		return Activity{}, fmt.Errorf("list what happened: %w", err)
	}
	out := Activity{AsOf: c.Landed.Position}
	if err := out.read(rows, dir, in.Limit); err != nil {
		return Activity{}, err
	}
	if err := t.aroundActivity(ctx, c, w, in, rows, &out.Around); err != nil {
		return out, err
	}
	if len(rows) == 0 {
		return out, t.whyNothing(ctx, c, in)
	}
	return out, nil
}

// happened is a change of a page; one of them brings the project, where that is
// described too.
type happened struct {
	Event  []byte `db:"event"`
	Around along  `db:"around"`
}

// history is the statement that reads one page, and one row more. What is told
// of each beside the log is looked up for the rows of the page alone.
func (w *where) history(in TaskActivity) string {
	columns, from := titledShape+" AS event", ""
	if in.Describe && in.Project != "" {
		columns += ", CASE WHEN row_number() OVER () = 1 THEN row_to_json(around) END AS around"
		from = " JOIN projects around ON around.key = h.project"
	}
	return "SELECT " + columns + " FROM (SELECT * FROM changes h WHERE " + strings.Join(w.conds, " AND ") +
		" ORDER BY h.position DESC LIMIT " + w.arg(in.Limit+1) + ") AS h" + from + " ORDER BY h.position DESC"
}

func (a *Activity) read(rows []happened, dir *org.Directory, limit int) error {
	events := make([]eventRow, len(rows))
	for i, row := range rows {
		if err := json.Unmarshal(row.Event, &events[i]); err != nil {
			return fmt.Errorf("read what happened: %w", err)
		}
	}
	a.Events, a.Next = paged(dir, events, limit)
	return nil
}

// aroundActivity adds what stands around a history. A project comes along with
// its changes; only where there are none is it asked for.
func (t *Tracker) aroundActivity(ctx context.Context, c *tool.Call, w *where, in TaskActivity, rows []happened, out *ActivityAround) error {
	if !in.Describe {
		return nil
	}
	out.Everybody = everybody(w.dir)
	for _, u := range w.dir.Units() {
		if u.Project != "" {
			out.Projects = append(out.Projects, u.Project)
		}
	}
	slices.Sort(out.Projects)
	if in.Project == "" {
		return nil
	}
	var told Project
	if at := slices.IndexFunc(rows, func(row happened) bool { return row.Around.project != nil }); at >= 0 {
		told = rows[at].Around.told(w.dir)
	} else {
		p, err := findProject(ctx, c.Tx, in.Project)
		if err != nil {
			return asArgument(err, "project")
		}
		told = p.told(w.dir)
	}
	out.Project = &told
	return nil
}

// whyNothing refuses the history of what is not there. Only where nothing was
// found does anybody have to ask: whatever is there has a history.
func (t *Tracker) whyNothing(ctx context.Context, c *tool.Call, in TaskActivity) error {
	switch {
	case in.Item != "":
		_, err := t.named(ctx, c.Tx, in.Item, "item")
		return err
	case in.Project != "":
		_, err := findProject(ctx, c.Tx, in.Project)
		return asArgument(err, "project")
	}
	return nil
}

// narrow turns what is asked into conditions, each only where it is asked, so
// that the planner sees which index fits.
func (w *where) narrow(in TaskActivity) error {
	w.within(in)
	if in.Kind != "" {
		kind := w.arg(in.Kind)
		w.add("(h.kind = %s OR starts_with(h.kind, %s || '.'))", kind, kind)
	}
	if in.AuthorKind != "" {
		w.add("h.recorded_as = %s", w.arg(in.AuthorKind))
	}
	w.author(in.Author)
	w.during(in)
	position, err := readPosition(in.Cursor)
	if position > 0 {
		w.add("h.position < %s", w.arg(position))
	}
	w.no.note(err)
	return w.no.refused()
}

// within says whose history it is.
func (w *where) within(in TaskActivity) {
	switch {
	case in.Item != "" && in.Project != "":
		w.wrong("project", "Name an item or a project, not both.")
	case in.Item != "":
		w.add("h.object = %s", w.arg(itemObject(in.Item)))
	case in.Project != "":
		w.add("h.project = %s", w.arg(strings.ToUpper(strings.TrimSpace(in.Project))))
	default:
		w.add("h.project IS NOT NULL")
	}
}

// author narrows to what one did, under any of their names.
func (w *where) author(word string) {
	if word == "" {
		return
	}
	if strings.EqualFold(word, "me") {
		w.add("h.actor = ANY (%s)", w.arg(pq.Array(append([]string{w.by.Key()}, w.by.Parties()...))))
		return
	}
	m, err := w.dir.Resolve(word, "author")
	w.no.note(err)
	names := []string{m.Party}
	if m.Person != "" {
		names = append(names, access.PersonParty(m.Person))
	}
	// Who had the seat before is in the log by the name they went by.
	w.add("(h.actor = ANY (%s) OR h.actor_name = %s AND h.recorded_as = 'human')", w.arg(pq.Array(names)), w.arg(m.Name))
}

// during narrows to a window on the company's clock.
func (w *where) during(in TaskActivity) {
	if in.Since != "" {
		m, err := readDate(in.Since, "since", w.now, w.zone)
		w.no.note(err)
		w.add("h.at >= %s", w.arg(m.begins().UTC()))
	}
	if in.Until != "" {
		m, err := readDate(in.Until, "until", w.now, w.zone)
		w.no.note(err)
		w.add("h.at < %s", w.arg(m.ends().UTC()))
	}
}

// begins is the first instant of a date, and ends the first after it.
func (m moment) begins() time.Time {
	if m.At.IsZero() {
		return m.On
	}
	return m.At
}

func (m moment) ends() time.Time {
	if m.At.IsZero() {
		return m.On.AddDate(0, 0, 1)
	}
	return m.At
}
