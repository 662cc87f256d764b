package work

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"crewlet/views/layout"
	"crewlet/views/ui"
)

// ListPage is all work, or one project's.
type ListPage struct {
	Shell   layout.Shell
	Project *Project // nil for all work
	Filter  Filter
	List    List
	May     bool // file items
}

// Project is a project's head.
type Project struct {
	Key, Name, Purpose, Unit string
	Lead, Default            *Person
	Open, Done, Closed       int
	Archived                 bool
	Labels                   []string
	Changed                  ui.TimeView
	ChangedBy                string
}

// Filter is what narrows a list, as it was asked.
type Filter struct {
	Action string // of the list it narrows
	Values url.Values
	Words  map[string]string // what is wrong, by field
	Says   string            // what is wrong, where no field is to blame
	People []Person
	Lists  Lists
}

// kept are the filters of lists nobody has narrowed.
var kept ui.Keeper

// drawn are the filters; where none is on, they are the same for everybody.
func (f Filter) drawn() templ.Component {
	if len(f.Values) > 0 || len(f.Words) > 0 || f.Says != "" {
		return filters(f)
	}
	key := []string{f.Action}
	for _, list := range [][]string{f.Lists.Types, f.Lists.Statuses, f.Lists.Priorities} {
		key = append(key, strings.Join(list, " "))
	}
	for _, p := range f.People {
		key = append(key, p.Handle, p.Name)
	}
	return kept.Draw(strings.Join(key, "\x00"), filters(f))
}

// Lists are the words to choose from.
type Lists struct{ Types, Statuses, Priorities []string }

// Chip is one filter that can be taken off.
type Chip struct{ Label, Href string }

// filterKeys are the filters in the order their chips stand.
var filterKeys = []string{
	"container", "q", "preset", "status", "status_group", "assignee", "reporter", "watcher", "priority", "type", "labels", "unit", "routing_unit",
	"parent", "due", "start", "updated", "created", "blocked", "has_open_asks", "show_closed",
}

// chips are the filters that are on.
func (f Filter) chips() []Chip {
	var list []Chip
	for _, key := range filterKeys {
		if f.Values.Get(key) == "" {
			continue
		}
		rest := url.Values{}
		for name, value := range f.Values {
			if name != key && name != "cursor" {
				rest[name] = value
			}
		}
		list = append(list, Chip{Label: words(key) + ": " + f.Values.Get(key), Href: f.at(rest)})
	}
	return list
}

// hidden are the filters without a field of their own.
func (f Filter) hidden() []string {
	fields := []string{"q", "preset", "status", "assignee", "priority", "type"}
	return slices.DeleteFunc(slices.Clone(filterKeys), func(key string) bool { return slices.Contains(fields, key) || f.Values.Get(key) == "" })
}

// wrong are the sentences that stand beside no field.
func (f Filter) wrong() []string {
	if len(f.Words) == 0 {
		if f.Says == "" {
			return nil
		}
		return []string{f.Says}
	}
	var list []string
	for _, key := range slices.Sorted(maps.Keys(f.Words)) {
		if !slices.Contains([]string{"q", "preset", "status", "assignee", "priority", "type", "sort"}, key) {
			list = append(list, words(key)+": "+f.Words[key])
		}
	}
	return list
}

// at is the list under other filters.
func (f Filter) at(values url.Values) string {
	if len(values) == 0 {
		return f.Action
	}
	return f.Action + "?" + values.Encode()
}

// with is the list with one value more.
func (f Filter) with(name, value string) string {
	values := url.Values{}
	for key, have := range f.Values {
		if key != "cursor" {
			values[key] = have
		}
	}
	values.Set(name, value)
	return f.at(values)
}

func (f Filter) choice(name, label string, list []string) ui.SelectView {
	value := f.Values.Get(name)
	opts := append([]ui.Option{{Value: "", Label: "Any"}}, options(list)...)
	known := value == ""
	for _, o := range opts {
		known = known || o.Value == value
	}
	if !known { // asked for in words of its own, such as todo,in_progress
		opts = append(opts, ui.Option{Value: value, Label: value})
	}
	return ui.SelectView{Name: name, Label: label, Value: value, Options: opts, Error: f.Words[name]}
}

func (f Filter) sorts() ui.SelectView {
	return ui.SelectView{Name: "sort", Label: "Order", Value: f.Values.Get("sort"), Error: f.Words["sort"], Options: []ui.Option{
		{Value: "", Label: "Newest change"}, {Value: "-created", Label: "Newest"}, {Value: "due", Label: "Due"},
		{Value: "-priority", Label: "Priority"}, {Value: "key", Label: "Key"},
	}}
}

// List is a page of items.
type List struct {
	Rows   []Item
	May    bool   // file items
	Next   string // cursor
	Filter Filter
	AsOf   int64
	Topics []string
}

func (l List) region() ui.RegionView {
	values := maps.Clone(l.Filter.Values) // the cursor too: a page further on stays that page
	if values == nil {
		values = url.Values{}
	}
	values.Set("part", "items")
	return ui.RegionView{ID: "items", Href: l.Filter.at(values), Topics: l.Topics, AsOf: l.AsOf}
}

// none is what is said where nothing fits.
func (l List) none() string {
	if l.May {
		return "No item fits. Take off a filter, or file a new one."
	}
	return "No item fits. Take off a filter, where one is on."
}

func (l List) pager() ui.PagerView {
	p := ui.PagerView{Shown: counted(len(l.Rows), "item") + " here"}
	if l.Filter.Values.Get("cursor") != "" {
		p.First = l.Filter.at(without(l.Filter.Values, "cursor"))
	}
	if l.Next != "" {
		p.Next = l.Filter.with("cursor", l.Next)
	}
	return p
}

func without(values url.Values, name string) url.Values {
	rest := url.Values{}
	for key, value := range values {
		if key != name {
			rest[key] = value
		}
	}
	return rest
}

func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
