package ui

import (
	"strconv"

	"github.com/a-h/templ"
)

// FieldView is a one-line input under its label.
type FieldView struct {
	ID           string // made of Name when ""
	Name         string
	Label        string
	Hint         string // how to fill it, under the label
	Error        string // what was wrong, beside the input; "" when nothing was
	Value        string
	Type         string // as of <input>; "text" when ""
	Placeholder  string // an example, never the only explanation
	Autocomplete string // "off" when ""
	Optional     bool   // says so beside the label: most fields are required
	Mono         bool   // commands, names of variables, addresses
	// Secret keeps what is typed out of the draft and off the screen.
	Secret bool
	Attrs  templ.Attributes
}

func (f FieldView) id() string { return idOf(f.ID, f.Name) }

func (f FieldView) inputType() string {
	switch {
	case f.Type != "":
		return f.Type
	case f.Secret:
		return "password"
	}
	return "text"
}

func (f FieldView) autocomplete() string {
	if f.Autocomplete == "" {
		return "off"
	}
	return f.Autocomplete
}

// TextAreaView is an input of many lines.
type TextAreaView struct {
	ID       string
	Name     string
	Label    string
	Hint     string
	Error    string
	Value    string
	Rows     int // 4 when 0
	Optional bool
	Mono     bool
	Code     bool // an editor: no wrapping, tabs kept, as tall as the screen allows
	Attrs    templ.Attributes
}

func (t TextAreaView) id() string { return idOf(t.ID, t.Name) }

func (t TextAreaView) rows() string {
	if t.Rows == 0 {
		return "4"
	}
	return strconv.Itoa(t.Rows)
}

// wrap answers as the wrap attribute of <textarea>.
func (t TextAreaView) wrap() string {
	if t.Code {
		return "off"
	}
	return "soft"
}

// aroundView is what a control of any kind has around it.
type aroundView struct {
	id, label, hint, err string
	optional             bool
}
