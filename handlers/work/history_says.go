package work

import (
	"encoding/json"
	"slices"
	"strings"

	"crewlet/engine/tool"
	"crewlet/engine/tracker"
	"crewlet/views/ui"

	view "crewlet/views/work"
)

// teller puts changes into sentences: Ann moved ENG-4 from To do to Done.
type teller struct {
	names map[string]string // of people, by handle
	call  *tool.Call
}

// delta is a field of a change, from and to.
type delta struct{ From, To any }

// told is a change as a sentence, with who did it.
func (t teller) told(e tracker.Event) view.Happened {
	out := view.Happened{At: ui.TimeView{At: e.At, Now: t.call.Now}, By: view.Person{Name: "The program"}}
	if e.Author != nil && e.Author.Name != "" {
		out.By = *personOf(e.Author)
	}
	deltas := map[string]delta{}
	if json.Unmarshal(e.Changed, &deltas) != nil {
		deltas = nil // written by another version: the sentence stands without its fields
	}
	out.Reason = said(deltas["reason"].To)
	out.Says = t.says(e, aboutOf(e), deltas)
	return out
}

// about is what a sentence is about: a link the first time, then "it".
type about struct {
	piece view.Piece
	named bool
}

func aboutOf(e tracker.Event) *about {
	if e.Item == "" {
		return &about{piece: view.Piece{Key: e.Project, Href: view.ProjectAddress(e.Project)}}
	}
	return &about{piece: view.Piece{Key: e.Item, Text: e.Title, Href: view.ItemAddress(e.Item)}}
}

func (a *about) it() view.Piece {
	if a.named {
		return words("it")
	}
	a.named = true
	return a.piece
}

// its is a field of it.
func (a *about) its(verb, field string) []view.Piece {
	if a.named {
		return []view.Piece{words(verb + " its " + field)}
	}
	return []view.Piece{words(verb + " the " + field + " of"), a.it()}
}

func words(text string) view.Piece { return view.Piece{Text: text} }

func value(text string) view.Piece { return view.Piece{Text: text, Value: true} }

// talk is what was said about an item, as a verb.
var talk = map[string]string{
	"comment.added": "commented on", "comment.edited": "edited a comment on", "comment.removed": "removed a comment from",
	"ask.answered": "answered a question on", "ask.withdrawn": "withdrew a question on",
}

func (t teller) says(e tracker.Event, a *about, deltas map[string]delta) []view.Piece {
	switch e.Kind {
	case "item.created":
		pieces := []view.Piece{words("filed"), a.it()}
		if to := said(deltas["assignee"].To); to != "" {
			pieces = append(pieces, words("for"), value(t.name(to)))
		}
		return pieces
	case "item.updated", "project.updated":
		if pieces := t.changes(a, deltas); len(pieces) > 0 {
			return pieces
		}
		return []view.Piece{words("changed"), a.it()}
	case "ask.opened":
		return []view.Piece{words("asked"), value(t.name(said(deltas["to"].To))), words("a question on"), a.it()}
	case "project.declared":
		return []view.Piece{words("declared the project"), a.it()}
	}
	if verb := talk[e.Kind]; verb != "" {
		pieces := []view.Piece{words(verb), a.it()}
		if chosen := said(deltas["choice"].To); chosen != "" {
			pieces = append(pieces, words("with"), value(chosen))
		}
		return pieces
	}
	// What nobody described here is at least named: item.merged is "merged ENG-4".
	area, verb, _ := strings.Cut(e.Kind, ".")
	if area != "item" && area != "project" {
		verb += " " + indefinite(area) + " of"
	}
	return []view.Piece{words(verb), a.it()}
}

func indefinite(noun string) string {
	if strings.ContainsAny(noun[:min(1, len(noun))], "aeiou") {
		return "an " + noun
	}
	return "a " + noun
}

// name is whom a handle means now, or the handle of somebody who left.
func (t teller) name(handle string) string {
	if name := t.names[handle]; name != "" {
		return name
	}
	return handle
}

// clauses are the fields of a change in the order they are told, each by its
// rule; a field without one is told last, by its name.
var clauses = []struct {
	field string
	say   func(t teller, a *about, d delta) [][]view.Piece
}{
	{"status", moved}, {"assignee", handed}, {"title", renamed}, {"name", renamed}, {"description", described},
	{"labels", labelled}, {"waiting_on", linking("made", "wait on", "stopped", "waiting on")}, {"blocking", linking("made", "block", "stopped", "blocking")},
	{"linked", linking("related", "to", "unlinked", "from")}, {"duplicates", linking("marked", "a duplicate of", "unmarked", "as a duplicate of")},
	{"watchers", following("watcher")}, {"collaborators", following("collaborator")},
	{"references", adding("reference")},
}

// changes are the clauses of a change, strung together.
func (t teller) changes(a *about, deltas map[string]delta) []view.Piece {
	var all [][]view.Piece
	left := map[string]delta{}
	for field, d := range deltas {
		if field != "reason" {
			left[field] = d
		}
	}
	for _, c := range clauses {
		if d, ok := left[c.field]; ok {
			all = append(all, c.say(t, a, d)...)
			delete(left, c.field)
		}
	}
	var rest []string
	for field := range left {
		rest = append(rest, field)
	}
	slices.Sort(rest)
	for _, field := range rest {
		all = append(all, t.plain(a, field, left[field]))
	}
	return strung(all)
}

// strung puts clauses into one sentence: a, b and c.
func strung(all [][]view.Piece) []view.Piece {
	var pieces []view.Piece
	for i, clause := range all {
		if i > 0 && i == len(all)-1 {
			pieces = append(pieces, words("and"))
		} else if i > 0 {
			pieces[len(pieces)-1].Then = ","
		}
		pieces = append(pieces, clause...)
	}
	return pieces
}
