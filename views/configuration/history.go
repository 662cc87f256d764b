package configuration

import (
	"time"

	"crewlet/views/layout"
	"crewlet/views/ui"
)

// History is one page of the revisions, newest first.
type History struct {
	Shell     layout.Shell
	Revisions []Revision
	First     string // address of the first page; "" on it
	Next      string // address of the next page; "" at the end
	AsOf      int64
	Now       time.Time
}

// region keeps the first page current; older pages never change.
func (h History) region() ui.RegionView {
	return ui.RegionView{ID: "revisions", Href: Address + "/revisions", Topics: []string{"config"}, AsOf: h.AsOf}
}

// One is one revision: what it changed, its text, and the way back to it.
type One struct {
	Shell    layout.Shell
	Revision Revision
	Newest   int64
	Lines    []ui.DiffLine
	Text     string
	Now      time.Time
	Revert   Revert
}

func (o One) diff() ui.DiffView {
	label := "What revision " + number(o.Revision.ID) + " changed"
	if o.Revision.Parent != 0 {
		label = "Revision " + number(o.Revision.ID) + " against " + number(o.Revision.Parent)
	}
	return ui.DiffView{Label: label, Lines: o.Lines}
}

// Revert is the form that makes a revision the newest again.
type Revert struct {
	Key     string
	Base    int64 // the newest revision when it was drawn
	Summary string
	Says    string
	Sent    string
	Fields  map[string]string
	Redrawn bool
	May     bool
}

func (o One) revertForm() ui.FormView {
	return ui.FormView{
		ID: "revert", Action: o.Revision.href() + "/revert", Key: o.Revert.Key, Draft: "revert-" + number(o.Revision.ID),
		Redrawn: o.Revert.Redrawn, Says: o.Revert.Says, Sent: o.Revert.Sent,
	}
}
