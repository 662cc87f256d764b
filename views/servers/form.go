package servers

import (
	"net/url"

	"github.com/a-h/templ"

	"crewlet/views/layout"
	"crewlet/views/ui"
)

// How a server is reached, as the form sends it.
const (
	ReachCommand = "command"
	ReachHTTP    = "http"
	ReachSSE     = "sse"
	EachSeat     = "each"
)

// OwnFields are the keys of a declaration that have a field of their own.
func OwnFields() []string {
	return []string{"name", "command", "args", "env", "url", "headers", "transport", "shared", "optional_keys"}
}

// Form is a server's declaration as it was typed.
type Form struct {
	Action    string
	TryAction string
	Key       string
	Draft     string
	New       bool // it declares a server; otherwise it changes one
	Name      string
	Reach     string
	Command   string
	Args      string // one a line, or one line as in a terminal
	Env       string // NAME=value, one a line
	URL       string
	Headers   string // Name: value, one a line
	Seats     string
	Include   string
	Exclude   string
	Optional  string
	More      string // the other keys, as the document has them
	Summary   string
	IfMatch   int64
	Says      string
	Sent      string
	Fields    map[string]string
	// Ask is set when a value looks like a credential: it is stored as it
	// stands only when the box is ticked.
	Ask     bool
	Plain   bool
	Redrawn bool
	Tried   *Tried
	Needs   []Need // secrets it names
	MayMake bool   // this viewer may store secrets
	Preset  string // the one it was filled in with
	Pasted  *Pasted
	Here    string // the address that draws it
	From    string // what filled it in, as its address said it
	Landed  string
	Done    string
}

// Need is a secret that the form names.
type Need struct {
	Name string
	Says string // where it comes from, or what becomes of it
	Make bool   // it is not there, and may be made
}

// Pasted is where the form stands among what was pasted.
type Pasted struct {
	Sealed   string // what is still to come, for this sign-in alone
	At, Of   int
	Homeless []string // keys that have no home here
	Notes    []string
}

// Tried is what came of starting it once.
type Tried struct {
	OK      bool
	Says    string
	Took    string
	Tools   []Tool
	Tail    string
	Unknown []string // include entries that name nothing
}

func (f Form) form() ui.FormView {
	return ui.FormView{ID: "server-form", Action: f.Action, Key: f.Key, Draft: f.Draft, Redrawn: f.Redrawn, Says: f.says(), Sent: f.Sent}
}

// says is what is said above the form; what is wrong with the entry as a whole
// has no field.
func (f Form) says() string {
	if whole := f.Fields["entry"]; f.Says == "" || f.Says == whole {
		return whole
	}
	return f.Says
}

// completing is a field in which ${ offers the secrets there are, and to make
// one where this viewer may.
func (f Form) completing() templ.Attributes {
	attrs := templ.Attributes{"data-complete": "/secrets"}
	if f.MayMake {
		attrs["data-complete-make"] = f.makeSecret("")
	}
	return attrs
}

// makeSecret is where a secret is stored, and leads back.
func (f Form) makeSecret(name string) string {
	q := url.Values{"next": {f.Here}}
	if name != "" {
		q.Set("name", name)
	}
	return "/settings/secrets?" + q.Encode() + "#store"
}

func (f Form) env() ui.TextAreaView {
	return ui.TextAreaView{
		Name: "env", Label: "Environment", Value: f.Env, Error: f.Fields["env"], Mono: true, Optional: true, Attrs: f.completing(),
		Hint: "One NAME=value a line. Write ${GITHUB_TOKEN} for a secret; a value typed here is kept in the company document, for everybody who may read it.",
	}
}

func (f Form) headers() ui.TextAreaView {
	return ui.TextAreaView{
		Name: "headers", Label: "Headers", Value: f.Headers, Error: f.Fields["headers"], Mono: true, Optional: true, Attrs: f.completing(),
		Hint: "One Name: value a line, such as Authorization: Bearer ${GITHUB_TOKEN}. A value typed here is kept in the company document.",
	}
}

func (f Form) reach() ui.CheckGroupView {
	return ui.CheckGroupView{Name: "reach", Legend: "How it is reached", One: true, Error: f.Fields["reach"], Choices: []ui.Choice{
		{Value: ReachCommand, Label: "A command", Hint: "Started on every node, and spoken to over its standard input and output.", Chosen: f.Reach == ReachCommand},
		{Value: ReachHTTP, Label: "An address", Hint: "Streamable HTTP.", Chosen: f.Reach == ReachHTTP},
		{Value: ReachSSE, Label: "An address, the older way", Hint: "Server-sent events, for servers that have not moved on.", Chosen: f.Reach == ReachSSE},
	}}
}

func (f Form) seats() ui.CheckGroupView {
	return ui.CheckGroupView{Name: "seats", Legend: "Who it is for", One: true, Choices: []ui.Choice{
		{Value: "all", Label: "Shared", Hint: "One for the whole company.", Chosen: f.Seats != EachSeat},
		{Value: EachSeat, Label: "One per seat", Hint: "Each with the seat's own credentials (mcp_env). Nothing starts until a seat has some.", Chosen: f.Seats == EachSeat},
	}}
}

func (f Form) plain() ui.CheckGroupView {
	return ui.CheckGroupView{
		Name: "plain", Legend: "A value here looks like a credential", Error: f.Fields["plain"],
		Choices: []ui.Choice{{
			Value: "true", Label: "It is none; keep it in the document as it stands", Chosen: f.Plain,
			Hint: "Otherwise store it under Settings › Secrets and write ${ITS_NAME} here.",
		}},
	}
}

func (f Form) toolsOpen() bool {
	return f.Include+f.Exclude+f.Fields["include"]+f.Fields["exclude"] != "" || f.Tried != nil && len(f.Tried.Tools) > 0
}

func (f Form) moreOpen() bool {
	return f.Optional+f.More+f.Fields["optional"]+f.Fields["more"] != ""
}

func (f Form) send() string {
	if f.New {
		return "Add the server"
	}
	return "Save"
}

func (f Form) cancel() string {
	if f.New {
		return Address
	}
	return ServerAddress(f.Name)
}

func (f Form) why() string {
	if f.New {
		return "One line for the history of the company document."
	}
	return "One line for the history of the company document, such as “A newer version”."
}

// New is the page that adds a server.
type New struct {
	Shell   layout.Shell
	Form    Form
	Presets []Preset
}

// Preset is a well-known server that fills in the form.
type Preset struct {
	Name   string
	Title  string
	Brief  string
	Needs  string   // what must be on PATH
	Launch string   // arguments that are an example, to be typed over
	Seat   []string // what each seat gives, of one with a child per seat
	Chosen bool
}

func (p Preset) href() string { return NewAddress + "?preset=" + url.QueryEscape(p.Name) }
