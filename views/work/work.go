// Package work draws the tracker: the inbox, lists of items, a project, an
// item and its thread, and one's own work.
package work

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"crewlet/views/ui"
)

// Where the pages are.
const (
	InboxAddress    = "/inbox"
	ReasonsAddress  = "/inbox/reasons"
	MineAddress     = "/work/mine"
	ListAddress     = "/work"
	NewAddress      = "/work/new"
	ProjectsAddress = "/work/projects"
)

// ItemAddress is an item's own page.
func ItemAddress(key string) string { return "/work/items/" + url.PathEscape(key) }

// ProjectAddress is a project's own page.
func ProjectAddress(key string) string { return ProjectsAddress + "/" + url.PathEscape(key) }

// Person is somebody as pages show them.
type Person struct {
	Handle, Name string
	Agent        bool
}

// Item is an item as lists show it.
type Item struct {
	Key, Title, Status, Priority, Type string
	Assignee                           *Person
	Labels                             []string
	Due                                string // a day or an instant
	Late                               bool
	Blocked                            bool
	Comments, OpenAsks                 int
	Subtasks, SubtasksOpen             int
	Updated, Now                       time.Time
	Note                               string // what a list has to add
	Enqueue                            *Enqueue
}

// Words is a name of ours as people read it: in_progress is "In progress".
func Words(name string) string { return words(name) }

func words(name string) string {
	if name == "" {
		return ""
	}
	text := strings.ReplaceAll(name, "_", " ")
	return strings.ToUpper(text[:1]) + text[1:]
}

// statusBadge is a status with its colour.
func statusBadge(status string) ui.BadgeView {
	b := ui.BadgeView{Label: words(status)}
	switch status {
	case "in_progress":
		b.State = ui.Warn
	case "in_review":
		b.State = ui.Warn
	case "done":
		b.State = ui.Good
	case "cancelled", "closed":
		b.State = ui.Off
	}
	return b
}

// options are names of ours to choose from.
func options(names []string) []ui.Option {
	var list []ui.Option
	for _, name := range names {
		list = append(list, ui.Option{Value: name, Label: words(name)})
	}
	return list
}

// shown is a due date without the noise of an instant's seconds.
func shown(due string) string {
	if at, err := time.Parse(time.RFC3339, due); err == nil {
		return at.UTC().Format("2006-01-02 15:04 UTC")
	}
	return due
}

// parts says how many of an item's parts are finished.
func (it Item) parts() string {
	return strconv.Itoa(it.Subtasks-it.SubtasksOpen) + " of " + counted(it.Subtasks, "part")
}
