// Package company draws the Company page: units and seats as the company
// document declares them.
package company

import (
	"strconv"

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
	AsOf     int64
}

// Unit is a part of the company.
type Unit struct {
	Name     string
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
}

func (s Seat) icon() string {
	if s.Agent {
		return "agent"
	}
	return "person"
}

func (s Seat) kind() string {
	if s.Agent {
		return "Agent"
	}
	return "Person"
}

func (c Company) region() ui.RegionView {
	return ui.RegionView{ID: "company", Href: Address, Topics: []string{"company"}, AsOf: c.AsOf}
}

func (c Company) facts() []ui.Fact {
	var facts []ui.Fact
	for _, f := range []ui.Fact{{Label: "Mission", Text: c.Mission}, {Label: "Vision", Text: c.Vision}, {Label: "Time zone", Text: c.Timezone}} {
		if f.Text != "" {
			facts = append(facts, f)
		}
	}
	return facts
}

func (c Company) empty() bool { return len(c.Units) == 0 && len(c.Seats) == 0 }

// note counts the seats of a unit and of its parts.
func (u Unit) note() string {
	n := u.seats()
	if n == 1 {
		return "1 seat"
	}
	return strconv.Itoa(n) + " seats"
}

func (u Unit) seats() int {
	n := len(u.Seats)
	for _, child := range u.Children {
		n += child.seats()
	}
	return n
}
