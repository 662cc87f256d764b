package ui

import "github.com/a-h/templ"

// Kind is how much a button or link asks for attention.
type Kind string

// A page has one Primary action; Danger is for what cannot be taken back.
const (
	Plain   Kind = ""
	Primary Kind = "is-primary"
	Danger  Kind = "is-danger"
	Quiet   Kind = "is-quiet"
)

// ButtonView is a button. It sends the form it stands in unless Press is set.
type ButtonView struct {
	Label    string
	Kind     Kind
	Icon     string // of the sprite; "" for none
	Name     string // sent with the form when this button sends it
	Value    string
	Press    bool // does something on the page instead of sending a form
	Small    bool
	Disabled bool
	Attrs    templ.Attributes // data-, hx- and aria- attributes
}

func (b ButtonView) sends() string {
	if b.Press {
		return "button"
	}
	return "submit"
}

// LinkView is a link that looks like a button: it goes somewhere, it writes nothing.
type LinkView struct {
	Label string
	Href  string
	Kind  Kind
	Icon  string
	Small bool
}
