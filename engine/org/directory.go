package org

import (
	"slices"

	"crewlet/engine/access"
)

// Member is one of the company's own: a seat with whoever holds it, or a
// person who holds none.
type Member struct {
	Party    string `json:"party"`            // seat:<id> or person:<id>
	Handle   string `json:"handle,omitempty"` // the seat's
	Login    string `json:"login,omitempty"`  // empty while it is withheld
	Name     string `json:"name"`             // the person's; the seat's where nobody holds it
	Role     string `json:"role,omitempty"`   // the seat's name
	Kind     string `json:"kind"`             // agent or human
	Unit     string `json:"unit,omitempty"`   // id
	Person   string `json:"person,omitempty"` // id of who holds the seat
	Withheld bool   `json:"withheld,omitempty"`
	Declared bool   `json:"declared"` // false for a seat that is no longer in the document
}

// Word is what Resolve takes for exactly this member: the handle, the login,
// or where neither may be shown the party.
func (m Member) Word() string {
	switch {
	case m.Handle != "":
		return m.Handle
	case m.Login != "":
		return m.Login
	default:
		return m.Party
	}
}

// Unit is a part of the company.
type Unit struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Project string `json:"project,omitempty"` // key of the project it owns
	Lead    string `json:"lead,omitempty"`    // party
	Parent  string `json:"parent,omitempty"`  // id
}

// Directory is everybody there is at one moment. It never changes.
type Directory struct {
	revision, version int64 // of the document and of people

	members []Member // seats in the document's order, then people without one
	former  []Member // seats that were
	units   []Unit

	parties map[string]Member
	unit    map[string]Unit
	manages map[string][]string // a seat's party to the parties and units it is declared to manage
	known   map[string]int      // what means exactly one member: handle, login, party
	folded  map[string][]int    // what may mean several, folded
	words   [][]string          // by member: all it may be called, folded
}

// Members is everybody: seats in the document's order, then people who hold
// none. It is shared: never change it.
func (d *Directory) Members() []Member { return d.members }

// Units is every unit, each before those in it. It is shared: never change it.
func (d *Directory) Units() []Unit { return d.units }

// Unit finds a unit by its id.
func (d *Directory) Unit(id string) (Unit, bool) {
	u, ok := d.unit[id]
	return u, ok
}

// Member finds a member by a party: a person who holds a seat is found as that
// seat's, and a seat that is no longer declared by what it was called last.
func (d *Directory) Member(party string) (Member, bool) {
	m, ok := d.parties[party]
	return m, ok
}

// Leads are the parties of a unit's lead and of the leads above it, nearest
// first.
func (d *Directory) Leads(unit string) []string {
	var leads []string
	for _, u := range d.above(unit) {
		if u.Lead != "" && !slices.Contains(leads, u.Lead) {
			leads = append(leads, u.Lead)
		}
	}
	return leads
}

// above is a unit and those it is in, innermost first.
func (d *Directory) above(unit string) []Unit {
	var units []Unit
	for u, ok := d.unit[unit]; ok; u, ok = d.unit[u.Parent] {
		units = append(units, u)
	}
	return units
}

// Manages reports whether somebody leads that member's unit or one above it,
// or is declared to manage the member or its unit. Nobody manages themself.
func (d *Directory) Manages(by access.Principal, party string) bool {
	m, ok := d.parties[party]
	own := by.Party()
	if !ok || own == "" || slices.Contains(by.Parties(), m.Party) {
		return false
	}
	return d.over(own, m)
}

// over reports whether a party leads or manages another member.
func (d *Directory) over(party string, m Member) bool {
	if party == m.Party {
		return false
	}
	declared := d.manages[party]
	return slices.Contains(d.Leads(m.Unit), party) || slices.Contains(declared, m.Party) ||
		slices.ContainsFunc(d.above(m.Unit), func(u Unit) bool { return slices.Contains(declared, unitMark+u.ID) })
}

// unitMark tells units from parties in what a seat manages.
const unitMark = "unit:"
