package ui

import "strconv"

// CodeView is text to be read letter by letter, or copied.
type CodeView struct {
	ID    string // of the text; needed where Copy is set
	Label string // what it is; also the copy button's: "Copy the command"
	Text  string
	Copy  bool
}

// LineKind is what a line of a diff is.
type LineKind string

// Same is context; Gap stands for lines left out, its text says how many.
const (
	Same    LineKind = ""
	Added   LineKind = "is-added"
	Removed LineKind = "is-removed"
	Gap     LineKind = "is-gap"
)

// DiffLine is one line of a diff. Old and New are line numbers, from 1; 0 where
// the line is not there.
type DiffLine struct {
	Kind LineKind
	Old  int
	New  int
	Text string // without its end
}

// DiffView is two texts line by line.
type DiffView struct {
	Label string // what changed: "Revision 12 against 11"
	Lines []DiffLine
}

// number draws 0 as nothing.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// sign is drawn before a line and read by screen readers.
func (k LineKind) sign() string {
	switch k {
	case Added:
		return "+"
	case Removed:
		return "−"
	}
	return " "
}

// count answers "+3 −1" of a diff.
func (d DiffView) count() (added, removed int) {
	for _, l := range d.Lines {
		switch l.Kind {
		case Added:
			added++
		case Removed:
			removed++
		}
	}
	return added, removed
}

func (d DiffView) addedText() string {
	added, _ := d.count()
	return "+" + strconv.Itoa(added)
}

func (d DiffView) removedText() string {
	_, removed := d.count()
	return "−" + strconv.Itoa(removed)
}

// OnceView shows a value that will not be shown again.
type OnceView struct {
	ID    string
	Label string // "The new token"
	Value string
	Says  string // what to do with it now
}
