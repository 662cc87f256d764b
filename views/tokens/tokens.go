// Package tokens draws Settings › Tokens: one's own tokens, with which an
// assistant acts as oneself; those that programs carry; and the form that
// mints one.
package tokens

import (
	"time"

	"crewlet/views/layout"
	"crewlet/views/ui"
)

// Own and Programs are where the two lists are.
const (
	Own      = "/settings/tokens"
	Programs = Own + "/programs"
)

// Page is the whole page.
type Page struct {
	Shell  layout.Shell
	List   List
	New    New
	Minted *Minted // just now; nil on every other drawing
	Other  bool    // the viewer may see programs' tokens, too
}

// List is the part that keeps itself current.
type List struct {
	Address string // Own or Programs
	Rows    []Row
	Node    []Node
	Now     time.Time
	AsOf    int64
}

// Row is one token. Times that are zero never came.
type Row struct {
	ID, Label, By          string
	Grants                 []string
	Sensitive              bool
	Created, Expires, Used time.Time
	Revoked                bool
	Personal               bool   // a person's own
	Key                    string // of the form that revokes it
}

// Node is a token of the node's own file.
type Node struct {
	ID     string
	Grants []string
}

// Minted is a new token. Value is empty on a repeat: it was shown once.
type Minted struct {
	Label, Value string
	Connect      []Connect // how an assistant is given it
}

// Connect is what one program is told, to reach this dashboard with the token.
type Connect struct{ ID, Title, Says, Text string }

// New is the form that mints a token.
type New struct {
	Address     string // Own or Programs
	Key         string
	Label, Days string // as they were typed
	Grants      []string
	Sensitive   bool
	Holds       []string // the grants that may be given: one's own
	Says, Sent  string   // above the form
	Fields      map[string]string
	Redrawn     bool
}

func (l List) own() bool { return l.Address == Own }

func (n New) own() bool { return n.Address == Own }

func (l List) empty() ui.EmptyView {
	says := "Mint one for a program that calls Crewlet, such as a CI job."
	if l.own() {
		says = "Mint one for your assistant, such as Claude Code, Codex or Cursor."
	}
	return ui.EmptyView{Icon: "tokens", Title: "No tokens yet", Says: says}
}

func (n New) example() string {
	if n.own() {
		return "claude on my laptop"
	}
	return "ci:release"
}

// draft is the name under which the browser keeps what is typed.
func (n New) draft() string {
	if n.own() {
		return "token-own"
	}
	return "token-new"
}

func (l List) region() ui.RegionView {
	topic := "tokens"
	if l.own() {
		topic = "account"
	}
	return ui.RegionView{ID: "tokens", Href: l.Address, Topics: []string{topic}, AsOf: l.AsOf}
}

// soon is when an expiry is worth a colour.
const soon = 7 * 24 * time.Hour

func (r Row) state(now time.Time) ui.BadgeView {
	switch left := r.Expires.Sub(now); {
	case r.Revoked:
		return ui.BadgeView{Label: "revoked", State: ui.Off}
	case r.Expires.IsZero():
		return ui.BadgeView{Label: "active", State: ui.Good}
	case left <= 0:
		return ui.BadgeView{Label: "expired", State: ui.Off}
	case left < soon:
		return ui.BadgeView{Label: "expires soon", State: ui.Warn}
	default:
		return ui.BadgeView{Label: "active", State: ui.Good}
	}
}

func (r Row) ended(now time.Time) bool {
	return r.Revoked || !r.Expires.IsZero() && !r.Expires.After(now)
}

func (n New) choices() []ui.Choice { return ui.GrantChoices(n.Holds, n.Grants) }

// says leaves the sentence above the form out where it stands beside a field.
func (n New) says() string {
	for _, beside := range n.Fields {
		if beside == n.Says {
			return ""
		}
	}
	return n.Says
}

// columns are those of a list of tokens.
func columns() ui.TableView {
	return ui.TableView{Caption: "Tokens", Stack: true, Columns: []ui.Column{
		{Label: "Label"}, {Label: "State"}, {Label: "May"}, {Label: "Minted"}, {Label: "Expires"}, {Label: "Last used"}, {Label: "Actions", Hidden: true},
	}}
}
