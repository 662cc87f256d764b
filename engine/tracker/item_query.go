package tracker

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lib/pq"

	"crewlet/config/nearest"
	"crewlet/engine/access"
	"crewlet/engine/org"
	"crewlet/engine/refusal"
)

// Query says which items: the same words in a tool's arguments, an address and
// a saved view. Within a value a comma means any of, a leading ! none of.
type Query struct {
	Container   string `json:"container,omitempty" validate:"max=100" jsonschema:"workspace, project:ENG, unit:ID or person:HANDLE"`
	Preset      string `json:"preset,omitempty" validate:"omitempty,oneof=my_queue triage blocked overdue" jsonschema:"my_queue: mine and my project's unassigned, unblocked; triage: nobody's"`
	Q           string `json:"q,omitempty" validate:"max=500" jsonschema:"words, a \"phrase\", a key"`
	Status      string `json:"status,omitempty" validate:"max=200" jsonschema:"todo in_progress in_review done cancelled closed"`
	StatusGroup string `json:"status_group,omitempty" validate:"max=200" jsonschema:"not_started active done closed"`
	Type        string `json:"type,omitempty" validate:"max=200" jsonschema:"task bug epic story spike chore milestone"`
	Priority    string `json:"priority,omitempty" validate:"max=200" jsonschema:"none low normal high urgent"`
	Assignee    string `json:"assignee,omitempty" validate:"max=500" jsonschema:"names, me, none"`
	Reporter    string `json:"reporter,omitempty" validate:"max=500" jsonschema:"as assignee"`
	Watcher     string `json:"watcher,omitempty" validate:"max=500" jsonschema:"as assignee"`
	Unit        string `json:"unit,omitempty" validate:"max=500" jsonschema:"ids of units"`
	RoutingUnit string `json:"routing_unit,omitempty" validate:"max=500" jsonschema:"ids of units"`
	Labels      string `json:"labels,omitempty" validate:"max=500" jsonschema:"labels or none"`
	Parent      string `json:"parent,omitempty" validate:"max=100" jsonschema:"keys, or none for items that are part of no other"`
	Due         string `json:"due,omitempty" validate:"max=100" jsonschema:"a date, lt: lte: gt: gte: and a date, range:A..B, or none"`
	Start       string `json:"start,omitempty" validate:"max=100" jsonschema:"as due"`
	Updated     string `json:"updated,omitempty" validate:"max=100" jsonschema:"as due"`
	Created     string `json:"created,omitempty" validate:"max=100" jsonschema:"as due"`
	Blocked     string `json:"blocked,omitempty" validate:"omitempty,oneof=true false" jsonschema:"whether it waits on unfinished work"`
	HasOpenAsks string `json:"has_open_asks,omitempty" validate:"omitempty,oneof=true false" jsonschema:"whether a question waits for an answer"`
	ShowClosed  string `json:"show_closed,omitempty" validate:"omitempty,oneof=true false" jsonschema:"finished items are left out unless this or a status asks for them"`
}

// whole reports that a query is of all open work, everywhere or of one
// project: what most lists are, in few texts, each with one good plan. Narrower
// ones are not prepared, for their best plan depends on what they narrow to.
func (q Query) whole() bool {
	_, project := strings.CutPrefix(q.Container, "project:")
	return q == Query{Container: q.Container} && (project || q.Container == "" || q.Container == "workspace")
}

// where is a query as it becomes SQL: conditions and their values.
type where struct {
	by    access.Principal
	dir   *org.Directory
	now   time.Time
	zone  *time.Location
	conds []string
	args  []any
	no    draft
	named named
}

// arg adds a value and answers its place.
func (w *where) arg(value any) string {
	w.args = append(w.args, value)
	return "$" + strconv.Itoa(len(w.args))
}

func (w *where) add(format string, args ...any) {
	w.conds = append(w.conds, fmt.Sprintf(format, args...))
}

func (w *where) wrong(key, format string, args ...any) {
	w.no.note(refusal.Invalid.Say(format, args...).On(key))
}

// read turns a query into conditions; what cannot be read is refused by its key.
func (w *where) read(q Query) error {
	w.container(q.Container)
	w.preset(q.Preset)
	w.words("status", "i.status", q.Status, statuses)
	w.words("status_group", "i.status_group", q.StatusGroup, statusGroups)
	w.words("type", "i.type", q.Type, types)
	w.priority(q.Priority)
	w.party("assignee", "i.assignee", q.Assignee)
	w.party("reporter", "i.reporter", q.Reporter)
	w.watcher(q.Watcher)
	w.units("unit", "i.unit", q.Unit)
	w.units("routing_unit", "i.routing_unit", q.RoutingUnit)
	w.labels(q.Labels)
	w.parent(q.Parent)
	w.day("due", "i.due_on", q.Due)
	w.day("start", "i.start_on", q.Start)
	w.instant("updated", "i.updated_at", q.Updated)
	w.instant("created", "i.created_at", q.Created)
	w.flag("i.blockers > 0", q.Blocked)
	w.flag("i.open_asks > 0", q.HasOpenAsks)
	if q.unfinished() {
		w.add("i.open")
	}
	return w.no.refused()
}

// unfinished reports that a query is of open items alone: those have indexes of
// their own, which the database cannot see from a status.
func (q Query) unfinished() bool {
	if q.Status == "" && q.StatusGroup == "" {
		return q.ShowClosed != "true"
	}
	only := func(text string, isOpen func(string) bool) bool {
		words, not, none := list(text)
		return text != "" && !not && !none && !slices.ContainsFunc(words, func(word string) bool { return !isOpen(strings.ToLower(word)) })
	}
	return only(q.Status, func(status string) bool { return slices.Contains(statuses, status) && !over(status) }) ||
		only(q.StatusGroup, func(group string) bool { return group == "not_started" || group == "active" })
}

func (w *where) container(text string) {
	kind, name, _ := strings.Cut(text, ":")
	switch kind {
	case "", "workspace":
	case "project":
		name = strings.ToUpper(name)
		if !projectShape.MatchString(name) {
			w.wrong("container", "%q is no project's key; write project:ENG.", name)
			return
		}
		w.named.projects, w.named.container = []string{name}, "container"
		w.add("i.project = %s", w.arg(name))
	case "unit":
		units := w.below(name)
		if len(units) == 0 {
			w.wrong("container", "There is no unit %q.", name)
			return
		}
		w.add("i.unit = ANY (%s)", w.arg(pq.StringArray(units)))
	case "person":
		w.party("container", "i.assignee", name)
	default:
		w.wrong("container", "%q is no container; there are workspace, project:ENG, unit:ID and person:HANDLE.", text)
	}
}

// below is a unit and all units in it.
func (w *where) below(id string) []string {
	if _, ok := w.dir.Unit(id); !ok {
		return nil
	}
	ids := []string{id}
	for _, u := range w.dir.Units() { // each before those in it
		if slices.Contains(ids, u.Parent) {
			ids = append(ids, u.ID)
		}
	}
	return ids
}

func (w *where) preset(name string) {
	switch name {
	case "my_queue":
		own := w.arg(pq.StringArray(w.by.Parties()))
		if project := ownProject(w.dir, w.by); project != "" {
			w.add("(i.assignee = ANY (%s) OR i.assignee = '' AND i.project = %s)", own, w.arg(project))
		} else {
			w.add("i.assignee = ANY (%s)", own)
		}
		w.add("i.blockers = 0")
	case "triage":
		w.add("i.assignee = ''")
	case "blocked":
		w.add("i.blockers > 0")
	case "overdue":
		w.add("(i.due_on < %s::date OR i.due_at < %s)", w.arg(w.now.In(w.zone).Format(day)), w.arg(w.now))
	}
}

// list reads a value: its words, whether it means none of them, and whether
// "none" is among them.
func list(text string) (words []string, not, none bool) {
	text, not = strings.CutPrefix(strings.TrimSpace(text), "!")
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(word), "!"))
		switch {
		case word == "":
		case strings.EqualFold(word, "none"):
			none = true
		default:
			words = append(words, word)
		}
	}
	return words, not, none
}

// units is a column of units' ids. Old items may be of one that is no longer
// in the company, so an unknown one is refused only where nothing fits.
func (w *where) units(key, column, text string) {
	if text == "" {
		return
	}
	words, not, none := list(text)
	for _, id := range words {
		if _, ok := w.dir.Unit(id); !ok {
			w.named.no.note(refusal.Invalid.Say("There is no unit %q.", id).On(key))
		}
	}
	if none {
		words = append(words, "")
	}
	w.anyOf(column, words, not)
}

// words is a column of plain words; known lists those there are.
func (w *where) words(key, column, text string, known []string) {
	if text == "" {
		return
	}
	words, not, none := list(text)
	for i, word := range words {
		words[i] = strings.ToLower(word)
		if !slices.Contains(known, words[i]) {
			says := fmt.Sprintf("%q is no %s; there are %s.", word, key, strings.Join(known, ", "))
			if near := nearest.Name(word, known); near != "" {
				says = fmt.Sprintf("%q is no %s; did you mean %s?", word, key, near)
			}
			w.wrong(key, "%s", says)
		}
	}
	if none {
		words = append(words, "")
	}
	w.anyOf(column, words, not)
}

func (w *where) anyOf(column string, values []string, not bool) {
	if not {
		w.add("%s <> ALL (%s)", column, w.arg(pq.StringArray(values)))
		return
	}
	w.add("%s = ANY (%s)", column, w.arg(pq.StringArray(values)))
}

func (w *where) priority(text string) {
	if text == "" {
		return
	}
	text, not := strings.CutPrefix(strings.TrimSpace(text), "!")
	var levels []int64
	for word := range strings.SplitSeq(text, ",") {
		at := priorityOf(strings.ToLower(strings.TrimSpace(word)))
		if at < 0 {
			w.wrong("priority", "%q is no priority; there are %s.", word, strings.Join(priorities, ", "))
		}
		levels = append(levels, int64(at))
	}
	if not {
		w.add("i.priority <> ALL (%s)", w.arg(pq.Int64Array(levels)))
		return
	}
	w.add("i.priority = ANY (%s)", w.arg(pq.Int64Array(levels)))
}

func (w *where) flag(cond, text string) {
	switch text {
	case "true":
		w.add("%s", cond)
	case "false":
		w.add("NOT (%s)", cond)
	}
}
