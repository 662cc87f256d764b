package servers

import (
	"net/url"
	"strconv"
	"time"

	"crewlet/views/layout"
	"crewlet/views/ui"
)

// ServerPage is all there is to know of one server.
type ServerPage struct {
	Shell   layout.Shell
	Server  Detail
	Act     Act
	Checked *Checked // what a check came to, just now
}

// Act is what this viewer may do about the server, and the keys of the forms
// that do it.
type Act struct {
	Name                           string
	Operate, Write                 bool
	Enabled                        bool
	Restart, Check, Switch, Remove string // keys
}

// Checked is what came back from a real request.
type Checked struct {
	OK    bool
	Says  string
	Took  string
	News  []ui.Fact // added, removed, changed
	Node  string
	At    time.Time
	Tools int
}

// Detail is what the page shows of a server, and draws anew by itself.
type Detail struct {
	ID           string // stays with it when it gets another name
	Name         string
	State        ui.BadgeView
	Phase        string
	Reason       string
	Launch       []ui.Fact
	Settings     []Setting
	Instances    []Instance
	History      []Event
	Tools        []Tool
	NotOffered   []Withheld
	Odd          []string // override keys and include entries that name nothing
	Uncovered    []string
	Instructions string
	ListedAt     time.Time
	Cost         int
	Declared     *Declared
	Stats        Stats
	ByTool       []ToolStats
	AsOf         int64
	Now          time.Time
}

// Setting is a variable or a header it is given.
type Setting struct {
	Name, Value string
	Hidden      bool // a literal, which is not shown
	Optional    bool
}

// Instance is one child or connection on one node.
type Instance struct {
	Node, Seat string
	State      ui.BadgeView
	Phase      string
	Error      string
	Since      time.Time
	Retry      time.Time
	Attempt    int
	Era        string
	PID        int
	Tail       string
	Start      string // how long its last start took, phase by phase
	Skipped    string // what it printed on stdout that is no message
	Lines      string // the first of them
}

// Event is one line of its history.
type Event struct {
	At                time.Time
	Says, Error, Node string
	Actor             string
}

// Withheld is something it has that nobody is offered.
type Withheld struct{ What, Why string }

// Declared is the revision that made its entry what it is.
type Declared struct {
	Revision int64
	Author   string
	At       time.Time
	Summary  string
}

// Stats sums calls up.
type Stats struct {
	Calls    int64
	Errors   string
	P50, P95 string
}

// ToolStats are the figures of one tool.
type ToolStats struct {
	Tool string
	Stats
}

func (d Detail) region() ui.RegionView {
	return ui.RegionView{ID: "server", Href: ServerAddress(d.Name) + "?part=server&id=" + url.QueryEscape(d.ID), Topics: []string{"servers", "tools", "config"}, AsOf: d.AsOf}
}

// at is an address beneath the server's page.
func (a Act) at(what string) string { return ServerAddress(a.Name) + "/" + what }

func (a Act) removal() ui.ConfirmView {
	return ui.ConfirmView{
		Label: "Remove…", Title: "Remove " + a.Name + "?",
		Says: "It is stopped on every node and its tools go. What still names it is listed first. Disable keeps everything.",
	}
}

func (a Act) switching() string {
	if a.Enabled {
		return "Disable"
	}
	return "Enable"
}

func (d Detail) toolsNote() string {
	note := counts(d.Tools)
	if cost := (Server{Cost: d.Cost}).cost(); cost != "" {
		note += ", " + cost
	}
	return note
}

func (d Declared) href() string {
	return "/settings/configuration/revisions/" + strconv.FormatInt(d.Revision, 10)
}

func (d Declared) label() string { return "Revision " + strconv.FormatInt(d.Revision, 10) }

func (i Instance) label() string {
	if i.Seat == "" {
		return i.Node
	}
	return i.Node + ", seat " + i.Seat
}

// more is what is known of the process or connection.
func (i Instance) more() string {
	var says string
	for _, part := range []string{i.Era, pid(i.PID), attempt(i.Attempt)} {
		if part == "" {
			continue
		}
		if says != "" {
			says += " · "
		}
		says += part
	}
	return says
}

func pid(n int) string {
	if n == 0 {
		return ""
	}
	return "process " + strconv.Itoa(n)
}

func attempt(n int) string {
	if n < 2 {
		return ""
	}
	return "attempt " + strconv.Itoa(n)
}

// by is who or which node it was.
func (e Event) by() string {
	switch {
	case e.Node != "":
		return "on " + e.Node
	case e.Actor != "":
		return "by " + e.Actor
	}
	return ""
}
