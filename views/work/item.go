package work

import (
	"net/url"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"crewlet/views/layout"
	"crewlet/views/prose"
	"crewlet/views/ui"
)

// ItemPage is an item's own page. Each part keeps itself current.
type ItemPage struct {
	Shell  layout.Shell
	Body   Body
	Facts  Facts
	Thread Thread
	Past   Past
	Says   string // of a form that came back and has no place on the page
}

// Form is one form in place: what was typed into it when it came back, and
// what is wrong with it.
type Form struct {
	Key   string // the operation's
	Open  bool
	Typed map[string]string
	Says  string
	Sent  string            // what an earlier send of it already did
	Wrong map[string]string // by field
}

// typed is what stands in a field: what somebody typed, else what is.
func (f Form) typed(name, is string) string {
	if text, ok := f.Typed[name]; ok {
		return text
	}
	return is
}

// late is what is said of a form whose place is gone. One that was sent before
// cannot be sent again.
func (f Form) late() string {
	if f.Sent != "" {
		return "This was sent before with other text, and that landed. What this form says now was not sent."
	}
	return f.Says
}

// Body is an item's title and text, with what it is part of and holds.
type Body struct {
	Key, Title, Description string
	Version                 int
	Editions                int // how often the description was saved
	Trail, Parts            []Linked
	Known                   func(string) (string, bool)
	May                     bool
	Retitle, Rewrite        Form
	Newer                   string // the text somebody else saved meanwhile
	AsOf                    int64
}

// Linked is another item beside this one.
type Linked struct{ Key, Title, Status, Remove string } // Remove: the key of the form that takes it off

func (b Body) region() ui.RegionView { return itemRegion(b.Key, "item-body", "body", b.AsOf) }

func (b Body) text() prose.Text { return prose.Text{Markdown: b.Description, Known: b.Known} }

func itemRegion(key, id, part string, asOf int64) ui.RegionView {
	return ui.RegionView{ID: id, Href: ItemAddress(key) + "?part=" + part, Topics: []string{"item:" + key}, AsOf: asOf}
}

// Facts is all else of an item, each edited in place.
type Facts struct {
	Key                   string
	Item                  Item
	Start, Due            string
	Estimate, Points      string
	Parent                string
	Reporter              *Person
	Watchers              []Person
	Collaborators         []Person
	Watching              bool
	WaitingOn, Blocking   []Linked
	Related, Duplicates   []Linked
	References            []string
	Declared              []Label
	Everybody             []Person
	Lists                 Lists
	May                   bool
	Keys                  func() string // a new operation key for each form
	Form                  Form          // the one that came back
	Created, Updated, Now time.Time
	Version               int
	AsOf                  int64
}

// Label is one of a project's labels.
type Label struct {
	Slug, Name string
	On         bool
}

func (f Facts) region() ui.RegionView { return itemRegion(f.Key, "item-facts", "facts", f.AsOf) }

func (f Facts) handle() string {
	if f.Item.Assignee == nil {
		return ""
	}
	return f.Item.Assignee.Handle
}

func (f Facts) asOf() string { return strconv.FormatInt(f.AsOf, 10) }

// choice is one field that is chosen and not typed.
func (f Facts) choice(name, label, is string, list []string) ui.SelectView {
	return ui.SelectView{Name: name, Label: label, Value: f.Form.typed(name, is), Options: options(list), Error: f.Form.Wrong[name]}
}

// field is one field that is typed.
func (f Facts) field(name, label, is, placeholder string) ui.FieldView {
	return ui.FieldView{Name: name, Label: label, Value: f.Form.typed(name, is), Optional: true, Error: f.Form.Wrong[name], Placeholder: placeholder}
}

func (f Facts) people() ui.FieldView {
	field := f.field("assignee", "Assignee", f.handle(), "nobody")
	field.Attrs = templ.Attributes{"list": "everybody"}
	return field
}

// linkKind is one way an item has to do with others.
type linkKind struct {
	Name, Label, Add string
	List             []Linked
}

func (f Facts) links() []linkKind {
	return []linkKind{
		{"waiting_on", "Waits on", "Wait on", f.WaitingOn},
		{"blocking", "Blocks", "Block", f.Blocking},
		{"linked", "Related", "Relate", f.Related},
		{"duplicates", "Duplicates", "Mark a duplicate of", f.Duplicates},
	}
}

// Thread is what is asked and said.
type Thread struct {
	Key      string
	Before   string    // what the comments shown are older than; the newest are shown where it is empty
	Comments []Comment // the oldest first
	Older    string    // where older ones are
	Comment  Form
	Ask      Form
	People   []Person
	May      bool
	AsOf     int64
}

func (t Thread) region() ui.RegionView {
	region := itemRegion(t.Key, "item-thread", "thread", t.AsOf)
	if t.Before != "" {
		region.Href += "&before=" + url.QueryEscape(t.Before)
	}
	return region
}

// Comment is one thing somebody said.
type Comment struct {
	ID      string
	Author  *Person
	Kind    string // agent, human, operator, system
	Text    prose.Text
	At      ui.TimeView
	Edited  bool
	Removed string // who removed it
	Mine    bool
	Ask     *Ask
	Chose   []string // of the question it answers
	Edit    Form
	Raw     string // the Markdown, to edit
	Remove  string // the key of the form that removes it; empty where one may not
}

// Ask is a question as it is drawn and answered.
type Ask struct {
	ID, Item, Title string
	From, To        *Person
	Text            prose.Text
	Options         []Option
	Multi, Free     bool
	Due, State      string
	Answer          *Answer
	Mine            bool // to answer
	InPlace         bool // another's, in whose place one may answer
	Asked           bool // by the viewer, who may withdraw it
	Form            Form
	Withdraw        string // the key of the form that withdraws it
	Action          string // where the answer goes
}

// Option is one answer there is.
type Option struct {
	ID, Label, Consequence string
	Chosen                 bool
}

// Answer is what came of a question.
type Answer struct {
	By      *Person
	InPlace bool // of whom it was put to
	Said    []string
	Text    prose.Text
	At      ui.TimeView
}

// commentLimit says how long what is said may be.
var commentLimit = templ.Attributes{"data-most-bytes": "32768"}

// Past is what happened to an item, and who was told.
type Past struct {
	Key    string
	Events []Event
	More   string // where older ones are
	AsOf   int64
}

func (p Past) region() ui.RegionView { return itemRegion(p.Key, "item-past", "past", p.AsOf) }

// Event is one change.
type Event struct {
	At     ui.TimeView
	By     string
	Kind   string
	Says   []Change
	Reason string
}

// Change is one field that is otherwise.
type Change struct{ Field, From, To string }

// sends are the attributes of a form that is sent as soon as it changes; its
// answer is the facts as they are then, or with what was wrong.
func (f Facts) sends() templ.Attributes {
	attrs := f.presses()
	attrs["hx-trigger"] = "change, submit"
	return attrs
}

// presses are those of a form that is sent by its button.
func (f Facts) presses() templ.Attributes {
	return templ.Attributes{
		"hx-post": ItemAddress(f.Key), "hx-target": "#item-facts", "hx-swap": "innerMorph",
		"hx-status:422": "swap:innerMorph", "hx-status:409": "swap:innerMorph",
	}
}

func (a Ask) badge() ui.BadgeView {
	switch a.State {
	case "answered":
		return ui.BadgeView{Label: "Answered", State: ui.Good}
	case "withdrawn":
		return ui.BadgeView{Label: "Withdrawn", State: ui.Off}
	default:
		return ui.BadgeView{Label: "Question", State: ui.Warn}
	}
}

func (a Ask) choices() ui.CheckGroupView {
	g := ui.CheckGroupView{ID: "choice-" + a.ID, Name: "choice", Legend: "Choose one", One: !a.Multi, Error: a.Form.Wrong["choice"]}
	if a.Multi {
		g.Legend = "Choose one or more"
	}
	for _, o := range a.Options {
		g.Choices = append(g.Choices, ui.Choice{Value: o.ID, Label: o.Label, Hint: o.Consequence, Chosen: o.Chosen})
	}
	return g
}

func (a Ask) bodyLabel() string {
	if len(a.Options) > 0 {
		return "Or in your own words"
	}
	return "Answer"
}
