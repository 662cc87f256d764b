// Package company draws the Company page: units and seats as the company
// document declares them.
package company

import (
	"slices"
	"strconv"
	"strings"

	"crewlet/views/layout"
	"crewlet/views/ui"
)

// Address is where the page is.
const Address = "/company"

// Page is the company whole.
type Page struct {
	Shell   layout.Shell
	Company Company
}

// Company is its name, what it is for, and who works in it.
type Company struct {
	Name     string
	Mission  string
	Vision   string
	Timezone string
	Units    []Unit
	Seats    []Seat // of no unit
	MayRead  bool   // the document it is declared in
	AsOf     int64
}

// Unit is a part of the company.
type Unit struct {
	Name     string
	Path     string // its name after those of the units around it
	Type     string
	Purpose  string
	Goals    []string
	Project  string
	Seats    []Seat
	Children []Unit
}

// Seat is the place of one agent or one person.
type Seat struct {
	Handle string
	Name   string
	Agent  bool
	Leads  bool
	Goal   string
	May    bool   // this viewer may give it another handle
	Holder string // the person in it; "" for nobody
	Login  string // theirs, unless it is withheld
}

func (c Company) region() ui.RegionView {
	return ui.RegionView{ID: "company", Href: Address, Topics: []string{"company"}, AsOf: c.AsOf}
}

func (c Company) facts() []ui.Fact {
	return filled([]ui.Fact{{Label: "Mission", Text: c.Mission}, {Label: "Vision", Text: c.Vision}, {Label: "Time zone", Text: c.Timezone}})
}

// lede is what the unit is for, and where it wants to be.
func (u Unit) lede() string {
	if len(u.Goals) == 0 {
		return u.Purpose
	}
	goals := "Goals: " + strings.Join(u.Goals, " · ")
	if u.Purpose == "" {
		return goals
	}
	return u.Purpose + " — " + goals
}

func filled(facts []ui.Fact) []ui.Fact {
	return slices.DeleteFunc(facts, func(f ui.Fact) bool { return f.Text == "" })
}

func (c Company) empty() bool { return len(c.Units) == 0 && len(c.Seats) == 0 }

// note counts the seats of a unit and of its parts, and says what it is.
func (u Unit) note() string {
	n := strconv.Itoa(u.seats()) + " seats"
	if u.seats() == 1 {
		n = "1 seat"
	}
	for _, also := range []string{u.Type, u.Project} {
		if also != "" {
			n += " · " + also
		}
	}
	return n
}

func (u Unit) seats() int {
	n := len(u.Seats)
	for _, child := range u.Children {
		n += child.seats()
	}
	return n
}
