// Package servers draws Settings › MCP Tools: the servers as rows, the
// catalogue of their tools, each server and each tool on a page of its own,
// and the forms that declare servers.
package servers

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"crewlet/views/layout"
	"crewlet/views/ui"
)

// Where the pages are.
const (
	Address       = "/settings/tools"
	NewAddress    = Address + "/new"
	PasteAddress  = Address + "/paste"
	ReloadAddress = Address + "/reload"
)

// ServerAddress is a server's page.
func ServerAddress(name string) string { return Address + "/servers/" + url.PathEscape(name) }

// ReloadedAt is where a reload leads: it stands at a position of the log.
func ReloadedAt(position int64) string {
	return Address + "?reloaded=" + strconv.FormatInt(position, 10)
}

// ToolAddress is a tool's page.
func ToolAddress(name string) string { return Address + "/tool/" + url.PathEscape(name) }

// example is the form filled in with a server that needs no account.
var example = NewAddress + "?" + url.Values{
	"name": {"everything"}, "command": {"npx"}, "args": {"-y\n@modelcontextprotocol/server-everything"},
}.Encode()

// Page is servers and tools together.
type Page struct {
	Shell     layout.Shell
	ReloadKey string
	Servers   Servers
	Catalogue Catalogue
}

// Servers is one row for each server.
type Servers struct {
	Rows  []Server
	May   bool // this viewer may add one
	Read  bool // this viewer may read how one is declared: its page
	Nodes int  // that live
	AsOf  int64
	// Reloads is what each node did of the reload at this position, where one
	// led here.
	Reloaded int64
	Reloads  []Reload
	Now      time.Time
}

// Reload is how far one node is with a reload.
type Reload struct {
	Node, Says string
	Done       bool
}

// Server is one row.
type Server struct {
	Name   string
	State  string
	Colour ui.State
	Phase  string // of a start under way
	Reason string
	Retry  time.Time // the zero time when none is scheduled
	Shared bool
	Launch string // command and arguments, or the address; "" when not for this viewer
	Kind   string // transport
	Cells  []Cell
	Tools  int // it lists
	// Utilities are the tools beside those that stand for its resources and prompts.
	Utilities int
	Cost      int // tokens that its tools take of a model's context
	ListedAt  time.Time
	Notes     []string // override keys that name nothing, what a listing left out
}

// Cell is a server on one node.
type Cell struct {
	Node   string
	Label  string
	Colour ui.State
}

// Catalogue is the tools that fit the filter.
type Catalogue struct {
	Filter  Filter
	Sources []string // of all tools
	Places  []string // where calls put something
	Groups  []Group
	Shown   int
	Total   int
	AsOf    int64
}

// Filter is what the catalogue is narrowed to.
type Filter struct {
	Text, Source, Hint, Delivers string
}

// Group is the tools of one source.
type Group struct {
	Source string
	Tools  []Tool
}

// Tool is one row of the catalogue.
type Tool struct {
	Name        string
	Label       string // the name as it is shown
	Title       string
	Description string
	Hint        string // destructive, writes, read-only, unknown
	Outside     string // yes, no, unknown
	Delivers    string
	Arguments   int
	Withheld    string
	Utility     bool // it stands for its server's resources or prompts
	Invisible   bool // its server's words hold characters that cannot be seen; they are written out
}

// longest is how much of a description a row shows, in characters.
const longest = 110

// line is what a tool does, in one line.
func (t Tool) line() string {
	says, _, _ := strings.Cut(strings.TrimSpace(t.Description), "\n")
	if says == "" {
		says = t.Title
	}
	if runes := []rune(says); len(runes) > longest {
		return strings.TrimSpace(string(runes[:longest])) + "…"
	}
	return says
}

func (s Servers) region() ui.RegionView {
	href := Address + "?part=servers"
	if s.Reloaded > 0 {
		href = ReloadedAt(s.Reloaded) + "&part=servers"
	}
	return ui.RegionView{ID: "servers", Href: href, Topics: []string{"servers", "tools"}, AsOf: s.AsOf}
}

func (c Catalogue) region() ui.RegionView {
	return ui.RegionView{ID: "catalogue", Href: c.Filter.href("catalogue"), Topics: []string{"servers", "tools"}, AsOf: c.AsOf}
}

// href is the catalogue's address under this filter, of a part of the page or
// of the whole.
func (f Filter) href(part string) string {
	q := url.Values{}
	for name, value := range map[string]string{"text": f.Text, "source": f.Source, "hint": f.Hint, "delivers": f.Delivers, "part": part} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if len(q) == 0 {
		return Address
	}
	return Address + "?" + q.Encode()
}

// Href is the address of the whole page under this filter.
func (f Filter) Href() string { return f.href("") }

func (c Catalogue) sources() []ui.Option {
	options := []ui.Option{{Label: "All sources"}}
	for _, source := range c.Sources {
		options = append(options, ui.Option{Value: source, Label: sourceLabel(source)})
	}
	return options
}

func (c Catalogue) places() []ui.Option {
	options := []ui.Option{{Label: "Anywhere"}}
	for _, place := range c.Places {
		options = append(options, ui.Option{Value: place, Label: place})
	}
	return options
}

func hints() []ui.Option {
	return []ui.Option{
		{Label: "Any hint"},
		{Value: "destructive", Label: "Destructive"}, {Value: "writes", Label: "Writes"},
		{Value: "read-only", Label: "Read-only"}, {Value: "unknown", Label: "Unknown"},
	}
}

// builtIn is the source of the engine's own tools.
const builtIn = "builtin"

// sourceLabel is a source as people read it.
func sourceLabel(source string) string {
	if name, ok := strings.CutPrefix(source, "mcp:"); ok {
		return name
	}
	return "Built in"
}

// id tells a group apart from what it is when nothing stands beside it, so that
// the first server's tools do not find it unfolded: a live change keeps open
// what it finds open.
func (c Catalogue) id(g Group) string {
	id := "from-" + strings.ReplaceAll(g.Source, ":", "-")
	if c.alone(g) {
		return id + "-alone"
	}
	return id
}

// alone reports whether a group is what is built in, and all there is.
func (c Catalogue) alone(g Group) bool {
	return g.Source == builtIn && len(c.Groups) == 1 && c.Filter == Filter{}
}

// open says whether a group is unfolded at first. What the servers bring is
// looked for more often than what is built in, so that is folded away beside
// them; a filter shows all that fits it.
func (c Catalogue) open(g Group) bool {
	return g.Source != builtIn || c.alone(g) || c.Filter != Filter{}
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func (c Catalogue) note() string {
	if c.Shown == c.Total {
		return counted(c.Total, "tool")
	}
	return strconv.Itoa(c.Shown) + " of " + counted(c.Total, "tool")
}

func (s Server) reach() string {
	if s.Shared {
		return "Shared"
	}
	return "One per seat"
}

func (t Tool) hint() ui.BadgeView {
	switch t.Hint {
	case "destructive":
		return ui.BadgeView{Label: "Destructive", State: ui.Bad, Title: "It may delete or overwrite."}
	case "writes":
		return ui.BadgeView{Label: "Writes", State: ui.Warn, Title: "It changes something."}
	case "read-only":
		return ui.BadgeView{Label: "Read-only", State: ui.Good, Title: "It only looks."}
	default:
		return ui.BadgeView{Label: "Unknown", Title: "Its server does not say; take it for one that writes."}
	}
}

// cost is what the tools of a server take of a model's context.
func (s Server) cost() string {
	switch {
	case s.Cost == 0:
		return ""
	case s.Cost < 1000:
		return "≈ " + counted(s.Cost, "token")
	default:
		return fmt.Sprintf("≈ %.1fk tokens", float64(s.Cost)/1000)
	}
}
