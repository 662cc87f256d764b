package ui

import "github.com/a-h/templ"

// Option is one choice of a Select.
type Option struct {
	Value, Label string
}

// SelectView is one choice out of few.
type SelectView struct {
	ID       string
	Name     string
	Label    string
	Hint     string
	Error    string
	Value    string // of the option that is chosen
	Options  []Option
	Optional bool
}

func (s SelectView) id() string { return idOf(s.ID, s.Name) }

// Choice is one box of a CheckGroup, or one dot where only one may be chosen.
type Choice struct {
	Value    string
	Label    string
	Hint     string
	Chosen   bool
	Disabled bool
}

// CheckGroupView is boxes under one legend, all sent under one name.
type CheckGroupView struct {
	ID      string
	Name    string
	Legend  string
	Hint    string
	Error   string
	One     bool // only one may be chosen: radio buttons
	Choices []Choice
}

func (g CheckGroupView) id() string { return idOf(g.ID, g.Name) }

func (g CheckGroupView) inputType() string {
	if g.One {
		return "radio"
	}
	return "checkbox"
}

// choiceID is unique within the group.
func (g CheckGroupView) choiceID(value string) string {
	return g.id() + "-" + idOf("", value)
}

// groupExplained ties the fieldset to its sentences; being invalid is said by
// its first box, since a fieldset takes no aria-invalid.
func groupExplained(g CheckGroupView) templ.Attributes {
	attrs := explained(g.id(), g.Hint, g.Error)
	delete(attrs, "aria-invalid")
	return attrs
}
