// Package secrets draws Settings › Secrets: names, and what may be known of
// the values behind them. No value is ever drawn.
package secrets

import (
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"

	"crewlet/views/layout"
	"crewlet/views/ui"
)

// Address is where the page is.
const Address = "/settings/secrets"

// Page is the list with the form that adds to it.
type Page struct {
	Shell  layout.Shell
	List   List
	Store  Store
	Delete *Delete // a deletion that was refused, to be confirmed
}

// List is every secret, and every name that is used and not stored.
type List struct {
	Secrets []Secret
	Missing []Missing
	May     bool // this viewer may store and delete
	AsOf    int64
	Now     time.Time
}

// Secret is a name and what may be known of its value.
type Secret struct {
	Name       string
	Hosts      []string // it is sent to no other host, when any is named
	By         string
	At         time.Time
	References []string // places of the company document
	Key        string   // of the form that deletes it
}

// Missing is a name the company document uses and nobody stored.
type Missing struct {
	Name       string
	References []string
}

// Store is the form that seals a value. The value itself never comes back.
type Store struct {
	Key     string
	Name    string
	Hosts   string // one a line
	Says    string
	Sent    string
	Fields  map[string]string
	Redrawn bool
	Next    string // where storing it leads to; "" for the list
}

// Delete is a deletion that needs a second word.
type Delete struct {
	Key        string
	Name       string
	Says       string
	References []string
}

func (l List) region() ui.RegionView {
	return ui.RegionView{ID: "secrets", Href: Address, Topics: []string{"secrets", "config"}, AsOf: l.AsOf}
}

func (s Secret) deleteHref() string { return deleteHref(s.Name) }

func deleteHref(name string) string { return Address + "/" + url.PathEscape(name) + "/delete" }

func (s Secret) confirm() ui.ConfirmView {
	says := "Nothing in the company document uses it."
	if len(s.References) > 0 {
		says = "It is still used at " + strings.Join(s.References, ", ") + ". What needs it there stops working."
	}
	return ui.ConfirmView{Label: "Delete…", Title: "Delete " + s.Name + "?", Says: says, Small: true}
}

// hosts are the hosts of a value in one cell.
func (s Secret) hosts() string {
	if len(s.Hosts) == 0 {
		return "any"
	}
	return strings.Join(s.Hosts, ", ")
}

func (m Missing) storeHref() string { return Address + "?name=" + url.QueryEscape(m.Name) + "#store" }

func (s Store) form() ui.FormView {
	f := ui.FormView{ID: "store-form", Action: Address, Key: s.Key, Draft: "secret", Redrawn: s.Redrawn, Says: s.Says, Sent: s.Sent}
	if s.Next != "" {
		f.Draft = "" // a name asked for elsewhere is no draft
	}
	return f
}

// unseen keeps a value out of the browser's drafts.
func unseen() templ.Attributes { return templ.Attributes{"data-secret": true} }
