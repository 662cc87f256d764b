package work

import (
	"maps"
	"slices"

	"crewlet/views/layout"
	"crewlet/views/ui"
)

// HistoryAddress is where all that happened to work is.
const HistoryAddress = "/work/history"

// HistoryPage is what happened to all work, in a project or to an item.
type HistoryPage struct {
	Shell   layout.Shell
	Project *Project // nil but for a project's
	Item    string   // key; empty but for an item's
	Filter  HistoryFilter
	List    HistoryList
}

// HistoryFilter is what narrows a history, as it was asked.
type HistoryFilter struct {
	Filter
	Projects []string // keys to choose from; none where the project is given
}

// historyKeys are the filters in the order their chips stand, with what people
// call them.
var historyKeys = []struct{ Name, Label string }{
	{"kind", "What"}, {"author", "Who"}, {"author_kind", "By"}, {"project", "Project"}, {"since", "Since"}, {"until", "Until"},
}

var historyKinds = []ui.Option{
	{Value: "", Label: "Anything"}, {Value: "item", Label: "Items"}, {Value: "item.created", Label: "Items filed"}, {Value: "item.updated", Label: "Items changed"},
	{Value: "comment", Label: "Comments"}, {Value: "ask", Label: "Questions"}, {Value: "project", Label: "Projects"},
}

var authorKinds = []ui.Option{
	{Value: "", Label: "Anybody"}, {Value: "agent", Label: "Agents"}, {Value: "human", Label: "People in seats"},
	{Value: "operator", Label: "Operators"}, {Value: "system", Label: "The program"},
}

// shown is a value as its own field calls it.
func (f HistoryFilter) shown(name string) string {
	value := f.Values.Get(name)
	for _, o := range slices.Concat(historyKinds, authorKinds) {
		if value == o.Value && (name == "kind" || name == "author_kind") {
			return o.Label
		}
	}
	return value
}

func (f HistoryFilter) chips() []Chip {
	var list []Chip
	for _, key := range historyKeys {
		if f.Values.Get(key.Name) != "" {
			rest := without(without(f.Values, key.Name), "cursor")
			list = append(list, Chip{Label: key.Label + ": " + f.shown(key.Name), Href: f.at(rest)})
		}
	}
	return list
}

// wrong are the sentences that stand beside no field.
func (f HistoryFilter) wrong() []string {
	if len(f.Words) == 0 && f.Says != "" {
		return []string{f.Says}
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(f.Words)) {
		drawn := name != "project" || len(f.Projects) > 0
		if !drawn || !slices.ContainsFunc(historyKeys, func(k struct{ Name, Label string }) bool { return k.Name == name }) {
			list = append(list, words(name)+": "+f.Words[name])
		}
	}
	return list
}

// one is a choice among options; what was asked in words of its own stays.
func (f HistoryFilter) one(name, label string, list []ui.Option) ui.SelectView {
	value := f.Values.Get(name)
	if !slices.ContainsFunc(list, func(o ui.Option) bool { return o.Value == value }) {
		list = append(slices.Clone(list), ui.Option{Value: value, Label: value})
	}
	return ui.SelectView{Name: name, Label: label, Value: value, Options: list, Error: f.Words[name]}
}

func (f HistoryFilter) projects() ui.SelectView {
	list := []ui.Option{{Value: "", Label: "Any"}}
	for _, key := range f.Projects {
		list = append(list, ui.Option{Value: key, Label: key})
	}
	return f.one("project", "Project", list)
}

// HistoryList is a page of what happened.
type HistoryList struct {
	Rows   []Happened
	Next   string // cursor
	Filter HistoryFilter
	AsOf   int64
	Topics []string
}

// newest reports whether this is the first page, which keeps itself current:
// what is older never changes.
func (l HistoryList) newest() bool { return l.Filter.Values.Get("cursor") == "" }

func (l HistoryList) region() ui.RegionView {
	values := maps.Clone(l.Filter.Values)
	values.Set("part", "list")
	return ui.RegionView{ID: "happened", Href: l.Filter.at(values), Topics: l.Topics, AsOf: l.AsOf}
}

// Happened is one change as a sentence.
type Happened struct {
	At     ui.TimeView
	By     Person
	Says   []Piece
	Reason string
}

// Piece is a part of a sentence: words of ours, a link to what it is about, or
// what somebody wrote or chose.
type Piece struct {
	Text  string
	Key   string // of the item or project that Href leads to
	Href  string
	Value bool
	Then  string // what follows without a blank
}

func (l HistoryList) empty() ui.EmptyView {
	if len(l.Filter.Words) > 0 || l.Filter.Says != "" {
		return ui.EmptyView{Icon: "history", Title: "Not looked up", Says: "Something above cannot be read. Put it right, or take it off."}
	}
	e := ui.EmptyView{Icon: "history", Title: "Nothing yet", Says: "Whatever happens to work appears here by itself."}
	if len(l.Filter.chips()) > 0 {
		e.Title, e.Says = "Nothing like that happened", "Take off a filter, or ask for another time."
	}
	return e
}
