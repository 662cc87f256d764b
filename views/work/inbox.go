package work

import (
	"net/url"

	"crewlet/views/layout"
	"crewlet/views/ui"
)

// InboxPage is what somebody was told, and asked.
type InboxPage struct {
	Shell layout.Shell
	Box   string // primary, other, snoozed
	Inbox Inbox
}

// Inbox is a page of entries, the newest first.
type Inbox struct {
	Box, Cursor    string
	Says           string // of a form that came back and has no place among them
	Entries        []Entry
	Primary, Other int // unread
	Next           string
	Newest         string // id of the newest entry shown
	Full           bool
	ReadAll        string // the key of the form that marks all read
	AsOf           int64
}

func (i Inbox) region() ui.RegionView {
	href := i.at(i.Box) + "&part=inbox"
	if i.Cursor != "" { // a page further on stays that page
		href += "&cursor=" + url.QueryEscape(i.Cursor)
	}
	return ui.RegionView{ID: "inbox", Href: href, Topics: []string{"inbox"}, AsOf: i.AsOf}
}

func (i Inbox) at(box string) string { return InboxAddress + "?box=" + box }

// Entry is one change somebody was told of.
type Entry struct {
	ID, Item, Title, Status, Reason, Summary string
	By                                       *Person
	At                                       ui.TimeView
	Read                                     bool
	Href                                     string
	Ask                                      *Ask
	Keys                                     func() string // a new operation key for each form
}

var reasonWords = map[string]string{
	"mention": "mentioned you", "asked": "asked you", "answered": "answered you", "unblocked": "unblocked", "assignee": "yours",
	"unassigned": "no longer yours", "reporter": "you reported it", "prioritised": "put in your queue", "collaborator": "you work on it",
	"watcher": "you watch it", "lead": "you lead it",
}

func (e Entry) why() string {
	if words, ok := reasonWords[e.Reason]; ok {
		return words
	}
	return words(e.Reason)
}

// MinePage is what there is to do for somebody.
type MinePage struct {
	Shell layout.Shell
	Mine  Mine
	May   bool // file items
}

// Mine is one's own work, part by part.
type Mine struct {
	Asked []Ask
	Parts []Part
	By    *Person // who ordered the queue, where that was somebody else
	AsOf  int64
}

// Part is one list of one's own work.
type Part struct {
	ID, Title, Lede string
	Rows            []Item
}

func (m Mine) region() ui.RegionView {
	return ui.RegionView{ID: "mine", Href: MineAddress + "?part=mine", Topics: []string{"inbox", "work"}, AsOf: m.AsOf}
}

func (m Mine) empty() bool {
	for _, p := range m.Parts {
		if len(p.Rows) > 0 {
			return false
		}
	}
	return len(m.Asked) == 0
}

// NewPage is the form that files an item.
type NewPage struct {
	Shell    layout.Shell
	Form     Form
	Projects []ui.Option
	Lists    Lists
	People   []Person
	Same     *Linked // the open item that has the title already
}

// ProjectsPage is every project.
type ProjectsPage struct {
	Shell            layout.Shell
	Projects         []Project
	Active, Archived int
}
