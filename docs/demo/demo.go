// Package demo is a small company to look around in: its document, and six
// weeks of its work as the calls that file it. The texts are in two files
// beside this one; nothing here touches a database.
package demo

import (
	_ "embed"
	"fmt"

	"github.com/goccy/go-yaml"
)

// Company is the text of the company document.
//
//go:embed company.yaml
var Company []byte

//go:embed work.yaml
var work []byte

// book is what work.yaml holds.
type book struct {
	Projects []project
	Kites    []kite // each is made by way of every line
	Lines    []line
	Loose    []loose // work that is no kite's
}

type project struct {
	Key, Name, Purpose string
	Lead               string // a handle, as all who are named here
	Takes              string // who is given new items that name nobody
	Labels             []string
}

// kite is a model, in whose texts its words stand.
type kite struct{ Name, Span, Weight, Wind, Paper string }

// line is what one project does for each kite: a whole and its parts, one
// after the other.
type line struct {
	Project    string
	From, Each float64 // days from the kite's beginning to the first part; days a part takes
	Whole      Task
	Parts      []Task
}

// Task is what an item is filed with, and what is said about it.
type Task struct {
	Title, Type, Priority, Text string
	By, Who, Review             string // who files it, who does it, who looks at it before it is done
	Labels, Watch, Waits        []string
	Points                      float64
	Minutes                     int
	Free                        bool // a part that does not wait for the one before it
	Talk                        []saying
}

// saying is a comment, or with Ask a question and perhaps its answer.
type saying struct {
	By, Says string
	Ask      *question
}

type question struct {
	To      string
	Options []struct{ Label, Then string }
	Multi   bool
	Free    bool
	Due     *int // days from now
	Chosen  []string
	Answer  string // empty, with nothing chosen: nobody has answered
}

// loose is an item that belongs to no line. How it came to its state is spread
// over the days since it was filed.
type loose struct {
	Task    `yaml:",inline"`
	Project string
	State   string
	Ago     float64 // days
	Due     *int    // days from now
	Part    string  // title of what it is part of
	Later   string  // the description as it is saved anew
	Refers  []string
}

func readBook() (book, error) {
	var b book
	if err := yaml.UnmarshalWithOptions(work, &b, yaml.Strict()); err != nil {
		return b, fmt.Errorf("read the demo's work: %w", err)
	}
	return b, nil
}
