// Package catalogue draws the page of every tool there is: what it does, what
// it is asked and answers, who may call it, and how.
package catalogue

import (
	"strings"

	"crewlet/views/layout"
)

// Address is where the page is.
const Address = "/api"

// Page is every tool that may be called over plain HTTP.
type Page struct {
	Shell  layout.Shell
	Writes []Tool
	Reads  []Tool
	Open   string // name of the tool that is told whole; the page would be heavy with all
}

// Tool is one tool as people read of it.
type Tool struct {
	Name    string
	Title   string
	Brief   string
	Method  string
	Path    string
	Access  string   // the row that decides, as the authority table prints it
	For     []string // who finds it in a catalogue of theirs
	Once    bool     // its answer holds a value that is shown once
	Asked   []Value
	Answers []Value
	Example string // a call, for a terminal
}

// Value is an argument, or a part of an answer.
type Value struct {
	Name  string
	Kind  string
	Rules string // such as "needed, at most 40 characters"
	Says  string
}

// finds is who meets the tool in a list.
func (t Tool) finds() string {
	if len(t.For) == 0 {
		return "On pages and here alone; no assistant lists it."
	}
	return "Listed to " + strings.Join(t.For, " and ") + "."
}

// id is what an address leads to the tool by.
func (t Tool) id() string { return "tool-" + t.Name }
