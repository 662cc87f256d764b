// Package tokens draws Settings › Tokens: the tokens programs carry, and the
// form that mints one.
package tokens

import (
	"time"

	"crewlet/views/layout"
	"crewlet/views/ui"
)

// Page is the whole page.
type Page struct {
	Shell  layout.Shell
	List   List
	New    New
	Minted *Minted // just now; nil on every other drawing
}

// List is the part that keeps itself current.
type List struct {
	Rows []Row
	Node []Node
	Now  time.Time
	AsOf int64
}

// Row is one token. Times that are zero never came.
type Row struct {
	ID, Label, By          string
	Grants                 []string
	Sensitive              bool
	Created, Expires, Used time.Time
	Revoked                bool
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
}

// New is the form that mints a token.
type New struct {
	Key         string
	Label, Days string // as they were typed
	Grants      []string
	Sensitive   bool
	Holds       []string // the grants that may be given: one's own
	Says, Sent  string   // above the form
	Fields      map[string]string
	Redrawn     bool
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

// about says what a grant opens, in words.
func about(grant string) string {
	switch grant {
	case "state:read":
		return "see the company, its servers and its tools"
	case "audit:read":
		return "read and export the record of who did what"
	case "config:read":
		return "read the company document and its history"
	case "secrets:read":
		return "see the names of secrets, never a value"
	case "work:write":
		return "create and change work"
	case "knowledge:write":
		return "write pages"
	case "config:write":
		return "change the company document: a shell on every host that runs servers"
	case "secrets:write":
		return "store and delete secrets"
	case "fleet:operate":
		return "start and stop servers and seats"
	case "people:manage":
		return "invite and suspend people, mint and revoke tokens"
	case "sandbox:run":
		return "run code in a sandbox"
	default:
		return ""
	}
}

func (n New) choices() []ui.Choice {
	given := map[string]bool{}
	for _, g := range n.Grants {
		given[g] = true
	}
	choices := make([]ui.Choice, 0, len(n.Holds))
	for _, g := range n.Holds {
		choices = append(choices, ui.Choice{Value: g, Label: g, Hint: about(g), Chosen: given[g] || given["all"]})
	}
	return choices
}

// says leaves the sentence above the form out where it stands beside a field.
func (n New) says() string {
	for _, beside := range n.Fields {
		if beside == n.Says {
			return ""
		}
	}
	return n.Says
}
