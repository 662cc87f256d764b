// Package audit draws Settings › Audit: who did what, and what came of it.
package audit

import (
	"net/url"
	"strconv"
	"time"

	"crewlet/views/layout"
	"crewlet/views/ui"
)

// Address is where the page is.
const Address = "/settings/audit"

// Page is the record, as far as the filter lets through.
type Page struct {
	Shell  layout.Shell
	Filter Filter
	List   List
}

// Filter narrows the record; what is empty narrows nothing.
type Filter struct {
	Actor   string
	Verb    string
	Object  string
	Outcome string
	Says    string            // why it could not be used
	Fields  map[string]string // beside each input
}

// Query is the filter as an address carries it.
func (f Filter) Query() url.Values {
	q := url.Values{}
	for name, value := range map[string]string{"actor": f.Actor, "verb": f.Verb, "object": f.Object, "outcome": f.Outcome} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q
}

// at is an address of this area under the filter.
func (f Filter) at(path string) string {
	if q := f.Query().Encode(); q != "" {
		return path + "?" + q
	}
	return path
}

func (f Filter) set() bool { return len(f.Query()) > 0 }

func (f Filter) form() ui.FiltersView {
	v := ui.FiltersView{Action: Address, Label: "Filter the record"}
	if f.set() {
		v.Clear = Address
	}
	return v
}

func (f Filter) outcomes() []ui.Option {
	return []ui.Option{
		{Value: "", Label: "Any"}, {Value: "applied", Label: "Applied"}, {Value: "unchanged", Label: "Unchanged"},
		{Value: "refused", Label: "Refused"},
	}
}

// List is one page of rows, newest first.
type List struct {
	Filter Filter
	Rows   []Row
	Before int64 // 0 on the first page
	Next   int64 // 0 at the end
	AsOf   int64
	Now    time.Time
}

// Row is one call by somebody, and what came of it.
type Row struct {
	At      time.Time
	Actor   string // as people read it
	By      string // the credential
	Door    string
	Verb    string
	Object  string
	Outcome string
	Reason  string
	Request string
}

func (r Row) badge() ui.BadgeView {
	b := ui.BadgeView{Label: r.Outcome, State: ui.Warn}
	switch r.Outcome {
	case "applied":
		b.State = ui.Good
	case "unchanged":
		b.State = ui.Neutral
	}
	if r.Reason != "" {
		b.Label += ": " + r.Reason
	}
	return b
}

func (l List) region() ui.RegionView {
	return ui.RegionView{ID: "record", Href: l.Filter.at(Address), Topics: []string{"audit"}, AsOf: l.AsOf}
}

func (l List) pager() ui.PagerView {
	p := ui.PagerView{Shown: strconv.Itoa(len(l.Rows)) + " shown"}
	if l.Before != 0 {
		p.First = l.Filter.at(Address)
	}
	if l.Next != 0 {
		q := l.Filter.Query()
		q.Set("before", strconv.FormatInt(l.Next, 10))
		p.Next = Address + "?" + q.Encode()
	}
	return p
}
