package servers

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"crewlet/views/layout"
	"crewlet/views/ui"
)

// The kinds of fields an argument is typed into.
const (
	ArgumentText    = "text"
	ArgumentNumber  = "number"
	ArgumentInteger = "integer"
	ArgumentBool    = "boolean"
	ArgumentChoice  = "choice"
	ArgumentList    = "list" // one value a line
	ArgumentJSON    = "json"
)

// ToolShown is a tool's page.
type ToolShown struct {
	Shell layout.Shell
	Tool  ToolDetail
	Try   *Try  // nil where this viewer may not call it
	Said  *Said // what was said in one call, when that was asked for
}

// Said is what was said in one call of the tool.
type Said struct {
	At                time.Time
	By                string
	Outcome           ui.BadgeView
	Kept              bool   // else nothing of it is
	Arguments, Result string // "" where it was too large to keep
}

// ToolDetail is what there is to know of a tool, and is drawn anew by itself.
type ToolDetail struct {
	Tool
	Own     string // the server's own name, where it is another
	Server  string // "" for a builtin
	State   ui.BadgeView
	Reason  string
	Offered string
	Hints   []HintRow
	Input   string
	Output  string
	Calls   []CallRow
	Stats   Stats
	AsOf    int64
	Now     time.Time
}

// HintRow is one hint and where it comes from.
type HintRow struct{ Label, Value, From string }

// CallRow is one call of it.
type CallRow struct {
	At       time.Time
	By, Took string
	Outcome  ui.BadgeView
	Size     string
	Said     int64 // the call's id, where what was said can be read; else 0
}

// said is where what was said in a call is read.
func (d ToolDetail) said(c CallRow) string {
	return "?said=" + strconv.FormatInt(c.Said, 10) + "#said"
}

// Try is the form that calls the tool.
type Try struct {
	Name      string
	Key       string
	Hint      string
	Harmless  bool // known to read only, or known not to destroy
	Withheld  string
	PerSeat   bool   // it runs once per seat, and a call says whose
	NotYet    string // why no seat's child can be called yet
	Seat      string
	Arguments []Argument
	Sure      bool
	Says      string
	Fields    map[string]string
	Result    *Result
}

// Argument is one field of the form.
type Argument struct {
	Name     string // "" for all arguments as one JSON object
	Label    string
	Kind     string
	Hint     string
	Item     string   // of a list: the type of each value
	Choices  []string // as JSON
	Value    string
	Required bool
}

// Field is the name it is sent under.
func (a Argument) Field() string { return "_arg:" + a.Name }

// Shown is a default as its field shows it.
func (a Argument) Shown(value json.RawMessage) string {
	var text string
	var list []json.RawMessage
	switch {
	case len(value) == 0 || string(value) == "null":
		return ""
	case a.Kind == ArgumentText && json.Unmarshal(value, &text) == nil:
		return text
	case a.Kind == ArgumentList && json.Unmarshal(value, &list) == nil:
		lines := make([]string, len(list))
		for i, v := range list {
			lines[i] = plain(string(v))
		}
		return strings.Join(lines, "\n")
	}
	return string(value)
}

// plain is JSON as a person reads a choice: text without its quotes.
func plain(value string) string {
	var text string
	if json.Unmarshal([]byte(value), &text) == nil {
		return text
	}
	return value
}

func (a Argument) id() string {
	if a.Name == "" {
		return "f-arguments"
	}
	return ""
}

func (a Argument) options() []ui.Option {
	options := []ui.Option{}
	if !a.Required || a.Value == "" {
		options = append(options, ui.Option{Label: "—"})
	}
	choices := a.Choices
	if a.Kind == ArgumentBool {
		choices = []string{"true", "false"}
	}
	for _, c := range choices {
		options = append(options, ui.Option{Value: c, Label: plain(c)})
	}
	return options
}

func (a Argument) listHint() string {
	return strings.TrimSpace(a.Hint + " One a line.")
}

func (a Argument) jsonHint() string {
	if a.Name == "" {
		return a.Hint
	}
	return strings.TrimSpace(a.Hint + " As JSON.")
}

// Asks reports whether the form asks before it calls: it does unless the tool
// is known to do no harm.
func (t Try) Asks() bool { return !t.Harmless }

func (t Try) form() ui.FormView {
	return ui.FormView{ID: "try-form", Action: ToolAddress(t.Name), Key: t.Key, Says: t.Says}
}

func (t Try) sure() ui.CheckGroupView {
	legend, label := "It may delete or overwrite", "Call it all the same"
	switch {
	case t.PerSeat && t.Hint == "read-only":
		legend = "It acts with a seat's own credentials"
	case t.Hint != "destructive":
		legend = "Its server does not say what it does to things"
	}
	return ui.CheckGroupView{Name: "sure", Legend: legend, Error: t.Fields["sure"], Choices: []ui.Choice{{Value: "true", Label: label, Chosen: t.Sure}}}
}

// Result is what the tool answered.
type Result struct {
	Server     string
	Failed     bool
	Took       string
	Asked      bool
	Blocks     []Block
	Structured string
}

// Block is one part of a result.
type Block struct {
	Label    string
	Text     string
	URI      string
	Kind     string // its media type
	Size     string
	Image    string // a data: address
	Download string // a data: address
	File     string
}

// source is the bytes of an image. A data: address is not among those that
// pages may otherwise have; as an image's source it runs nothing.
func (b Block) source() templ.SafeURL { return bytesOf(b.Image, "data:image/") }

// target is bytes to be kept, of no type that a browser opens.
func (b Block) target() templ.SafeURL { return bytesOf(b.Download, "data:application/octet-stream;") }

func bytesOf(address, kind string) templ.SafeURL {
	if !strings.HasPrefix(address, kind) {
		return ""
	}
	return templ.SafeURL(address)
}

func (r Result) says() string {
	if r.Failed {
		return r.Server + " answered that it failed, in these words:"
	}
	return r.Server + " answered."
}

func (d ToolDetail) region() ui.RegionView {
	return ui.RegionView{ID: "tool", Href: ToolAddress(d.Name) + "?part=tool", Topics: []string{"servers", "tools"}, AsOf: d.AsOf}
}

func (d ToolDetail) facts() []ui.Fact {
	facts := []ui.Fact{}
	for _, f := range []ui.Fact{
		{Label: "Title", Text: d.Title}, {Label: "The server's own name", Text: d.Own, Mono: true},
		{Label: "Offered to", Text: d.Offered}, {Label: "Offered to nobody", Text: d.Withheld},
		{Label: "Delivers to", Text: d.delivers()}, {Label: "Arguments", Text: strconv.Itoa(d.Arguments)},
	} {
		if f.Text != "" {
			facts = append(facts, f)
		}
	}
	return facts
}

func (d ToolDetail) delivers() string {
	if d.Delivers == "" {
		return "nowhere"
	}
	return d.Delivers
}
