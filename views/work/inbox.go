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
	ReadAll        string      // the key of the form that marks all read
	Reasons        []ui.Choice // in the order of their strength
	Choose         Form
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
	Shell  layout.Shell
	Mine   Mine
	May    bool     // file items
	Others []Person // whose queues one may look at beside one's own
	Whose  string   // whose was asked for, as typed
	Wrong  string   // what is wrong with that
}

// Mine is one's own work, part by part; of somebody else it is the queue, and
// what else is theirs to do.
type Mine struct {
	Queue Queue
	Asked []Ask
	Parts []Part
	AsOf  int64
}

// Part is one list of one's own work.
type Part struct {
	ID, Title, Lede string
	Rows            []Item
}

func (m Mine) region() ui.RegionView {
	href := MineAddress + "?part=mine"
	if m.Queue.Whose != nil {
		href += "&person=" + url.QueryEscape(m.Queue.Whose.Handle)
	}
	return ui.RegionView{ID: "mine", Href: href, Topics: []string{"inbox", "work"}, AsOf: m.AsOf}
}

func (m Mine) empty() bool {
	for _, p := range m.Parts {
		if len(p.Rows) > 0 {
			return false
		}
	}
	return len(m.Asked) == 0 && len(m.Queue.Rows) == 0
}

// ReasonChoices are the reasons somebody may see first, in words.
func ReasonChoices(all []string, first func(string) bool) []ui.Choice {
	var list []ui.Choice
	for _, reason := range all {
		label, ok := reasonChoices[reason]
		if !ok {
			label = words(reason)
		}
		list = append(list, ui.Choice{Value: reason, Label: label, Chosen: first(reason)})
	}
	return list
}

var reasonChoices = map[string]string{
	"mention": "Somebody mentions you", "asked": "You are asked", "answered": "Your question is answered", "unblocked": "Your work can go on",
	"assignee": "Work that is yours changes", "unassigned": "Work is taken from you", "reporter": "Work you reported changes",
	"prioritised": "Somebody puts work in your queue", "collaborator": "Work you help with changes", "watcher": "Work you watch changes",
	"lead": "Work of those you lead changes",
}

// NewPage is the form that files an item.
type NewPage struct {
	Shell    layout.Shell
	Form     Form
	Projects []ui.Option
	Lists    Lists
	People   []Person
	Same     *Linked // the open item that has the title already
	// MayDeclare says that the company document is the viewer's to look at.
	MayDeclare bool
}

// ProjectsPage is every project.
type ProjectsPage struct {
	Shell            layout.Shell
	Projects         []Project
	Active, Archived int
	MayDeclare       bool // look at the company document
}
