// Package people draws Settings › People: who may sign in, what they may do,
// which seat they hold; the invitations that are open; and the page of one
// person.
package people

import (
	"slices"
	"time"

	"crewlet/views/layout"
	"crewlet/views/ui"
)

// Address is where the list is.
const Address = "/settings/people"

// Page is the list with the form that invites somebody.
type Page struct {
	Shell  layout.Shell
	List   List
	Invite Invite
	Made   *Made // just now; nil on every other drawing
}

// List is the part that keeps itself current.
type List struct {
	People      []Person
	Invitations []Invitation
	Now         time.Time
	AsOf        int64
}

// Person is one of the people. Times that are zero never came.
type Person struct {
	ID, Login, Name, Email string // no login and no e-mail of who is withheld
	Seat                   string // handle
	Grants                 []string
	Suspended, Withheld    bool
	Created, Seen          time.Time
}

// Invitation is a link nobody used yet.
type Invitation struct {
	ID, Name, Email, Seat, By string
	Grants                    []string
	Expires                   time.Time
	Key                       string // of the form that takes it back
}

// Invite is the form that invites somebody.
type Invite struct {
	Key               string
	Name, Email, Seat string   // as they were typed
	Grants            []string // as they were ticked
	Holds             []string // the grants that may be given: one's own
	Free              []Seat
	Says, Sent        string // above the form
	Fields            map[string]string
	Redrawn           bool
}

// Seat is a seat somebody may be put in.
type Seat struct{ Handle, Name string }

// Made is a new invitation. Link is empty on a repeat: it was shown once.
type Made struct{ Name, Link string }

// PersonPage is one person with what may be done about them.
type PersonPage struct {
	Shell  layout.Shell
	Person Person
	Own    bool     // it is the viewer
	Holds  []string // the grants the viewer may give
	Free   []Seat
	Keys   Keys
	Now    time.Time
	Says   map[string]string // what a form was refused with, by its name
	Fields map[string]string
	Sent   []string // the grants that were ticked, when they were refused
}

// Keys are the operation keys of the page's forms.
type Keys struct{ Seat, Grants, Withhold, Stage string }

func (p Person) stage() ui.BadgeView {
	if p.Suspended {
		return ui.BadgeView{Label: "suspended", State: ui.Off}
	}
	return ui.BadgeView{Label: "active", State: ui.Good}
}

func (p Person) href(step string) string { return Address + "/" + p.ID + step }

// called is the login, or that it is not shown.
func (p Person) called() string {
	if p.Withheld {
		return "withheld"
	}
	return p.Login
}

func options(none string, seats []Seat) []ui.Option {
	list := []ui.Option{{Value: "", Label: none}}
	for _, s := range seats {
		list = append(list, ui.Option{Value: s.Handle, Label: s.Name + " (" + s.Handle + ")"})
	}
	return list
}

// choices are the grants the viewer may give, and those the person has: what
// one does not hold can be taken away, and not be given again.
func (v PersonPage) choices() []ui.Choice {
	given := v.Person.Grants
	if v.Sent != nil {
		given = v.Sent
	}
	offered := slices.Clone(v.Holds)
	for _, g := range v.Person.Grants {
		if g != "all" && !slices.Contains(offered, g) {
			offered = append(offered, g)
		}
	}
	return ui.GrantChoices(offered, given)
}

func (v PersonPage) facts() []ui.Fact {
	facts := []ui.Fact{{Label: "Login", Text: v.Person.called(), Mono: !v.Person.Withheld}}
	if v.Person.Email != "" {
		facts = append(facts, ui.Fact{Label: "E-mail", Text: v.Person.Email})
	}
	return facts
}

// says leaves the sentence above a form out where it stands beside a field.
func says(sentence string, fields map[string]string) string {
	for _, beside := range fields {
		if beside == sentence {
			return ""
		}
	}
	return sentence
}
