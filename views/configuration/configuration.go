// Package configuration draws Settings › Configuration: the company document
// as text, what is wrong with it and where, its history and the way back.
package configuration

import (
	"strconv"
	"time"

	"crewlet/views/layout"
	"crewlet/views/ui"
)

// Address is where the pages of this area begin.
const Address = "/settings/configuration"

// Page is the editor with what stands around it.
type Page struct {
	Shell    layout.Shell
	Standing Standing
	Editor   Editor
}

// Standing is the revision in force and how far each node is with it.
type Standing struct {
	Revision Revision
	Base     int64 // what the editor's text was written over
	Nodes    []NodeState
	AsOf     int64
	Now      time.Time
}

// behind reports whether the text below is not the newest.
func (s Standing) behind() bool { return s.Base != s.Revision.ID }

func (s Standing) region() ui.RegionView {
	return ui.RegionView{
		ID: "standing", Href: Address + "?base=" + number(s.Base), AsOf: s.AsOf,
		Topics: []string{"config", "servers"},
	}
}

// Revision is one state of the document, in a list or above a text.
type Revision struct {
	ID      int64
	Parent  int64
	Summary string
	Author  string
	At      time.Time
}

func (r Revision) href() string { return Address + "/revisions/" + number(r.ID) }

// NodeState is how far one node is with the revision in force.
type NodeState struct {
	Node  string
	Label string // "Applied", "Applying", "Failed"
	State ui.State
	Says  string // why it failed, or what it does
}

// Editor is the form, as it was typed.
type Editor struct {
	Key      string
	Base     int64
	Ends     string // "crlf" or "lf": what the text's lines end with
	Text     string
	Summary  string
	Says     string
	Sent     string
	Fields   map[string]string // argument to what is wrong with it
	Problems []Problem
	Warnings []Warning
	Checked  bool     // looked at, and nothing is wrong
	Since    *Changed // the document moved on since the base
	Redrawn  bool
	May      bool // this viewer may write
}

// Problem is one thing wrong, with the line it is on.
type Problem struct {
	Path string
	Line int // 1-based
	Says string
	Text string // the line itself
}

// Warning is allowed, and will not work as it stands.
type Warning struct {
	Line int
	Name string // of the secret that is missing
	Says string
}

// Changed is what others wrote meanwhile.
type Changed struct {
	From, To int64
	Lines    []ui.DiffLine
}

func (c Changed) diff() ui.DiffView {
	return ui.DiffView{Label: "Revision " + number(c.To) + " against " + number(c.From), Lines: c.Lines}
}

func (e Editor) form() ui.FormView {
	return ui.FormView{
		ID: "editor", Action: Address, Key: e.Key, Draft: "configuration", Redrawn: e.Redrawn, Says: e.Says, Sent: e.Sent,
	}
}

func (e Editor) text() ui.TextAreaView {
	return ui.TextAreaView{
		Name: "text", Label: "Company document", Value: e.Text, Error: e.Fields["text"], Rows: 30, Code: true,
		Hint: "YAML. It is kept exactly as you write it, comments included.",
	}
}

func (e Editor) summary() ui.FieldView {
	return ui.FieldView{
		Name: "summary", Label: "Why", Value: e.Summary, Error: e.Fields["summary"],
		Hint: "One line for the history, such as “Add the GitHub server”.",
	}
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
