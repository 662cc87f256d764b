package work

import (
	"strings"

	view "crewlet/views/work"
)

func moved(_ teller, a *about, d delta) [][]view.Piece {
	from, to := view.Words(said(d.From)), view.Words(said(d.To))
	return [][]view.Piece{{words("moved"), a.it(), words("from"), value(from), words("to"), value(to)}}
}

func handed(t teller, a *about, d delta) [][]view.Piece {
	from, to := t.name(said(d.From)), t.name(said(d.To))
	switch {
	case from == "":
		return [][]view.Piece{{words("gave"), a.it(), words("to"), value(to)}}
	case to == "":
		return [][]view.Piece{{words("took"), a.it(), words("from"), value(from)}}
	default:
		return [][]view.Piece{{words("handed"), a.it(), words("from"), value(from), words("to"), value(to)}}
	}
}

func renamed(_ teller, a *about, d delta) [][]view.Piece {
	return [][]view.Piece{{words("renamed"), a.it(), words("from"), value(said(d.From)), words("to"), value(said(d.To))}}
}

func described(_ teller, a *about, d delta) [][]view.Piece {
	if said(d.From) == "0 bytes" {
		return [][]view.Piece{{words("described"), a.it()}}
	}
	return [][]view.Piece{append(a.its("edited", "description"), words("from"), value(said(d.From)), words("to"), value(said(d.To)))}
}

// plain is a field told by its name.
func (t teller) plain(a *about, field string, d delta) []view.Piece {
	from, to := said(d.From), said(d.To)
	switch field {
	case "priority", "type":
		from, to = view.Words(from), view.Words(to)
	case "default_assignee":
		from, to = t.name(from), t.name(to)
	}
	name := strings.ReplaceAll(field, "_", " ")
	if field == "due" || field == "start" {
		name += " date"
	}
	switch {
	case from == "":
		return append(a.its("set", name), words("to"), value(to))
	case to == "":
		return append(a.its("cleared", name), words("which was"), value(from))
	default:
		return append(a.its("changed", name), words("from"), value(from), words("to"), value(to))
	}
}

// several are the words of a set that left or joined.
func several(side any, name func(string) string) []view.Piece {
	list, ok := side.([]any)
	if !ok {
		list = []any{side}
	}
	var pieces []view.Piece
	for i, one := range list {
		if i > 0 {
			pieces = append(pieces, words("and"))
		}
		pieces = append(pieces, value(name(said(one))))
	}
	return pieces
}

func asIs(word string) string { return word }

// labelled is also how a project's labels change: one that is there from one
// word to another was renamed.
func labelled(_ teller, a *about, d delta) [][]view.Piece {
	_, set := d.From.([]any)
	if _, joined := d.To.([]any); !set && !joined && d.From != nil && d.To != nil {
		return [][]view.Piece{{words("renamed the label"), value(said(d.From)), words("to"), value(said(d.To)), words("in"), a.it()}}
	}
	return changed(a, d, "label", asIs)
}

func adding(noun string) func(teller, *about, delta) [][]view.Piece {
	return func(_ teller, a *about, d delta) [][]view.Piece { return changed(a, d, noun, asIs) }
}

func following(role string) func(teller, *about, delta) [][]view.Piece {
	return func(t teller, a *about, d delta) [][]view.Piece { return changed(a, d, role, t.name) }
}

// changed tells what joined a set and what left it.
func changed(a *about, d delta, noun string, name func(string) string) [][]view.Piece {
	var out [][]view.Piece
	if d.To != nil {
		clause := append([]view.Piece{words("added the " + plural(noun, d.To))}, several(d.To, name)...)
		out = append(out, append(clause, words("to"), a.it()))
	}
	if d.From != nil {
		clause := append([]view.Piece{words("took the " + plural(noun, d.From))}, several(d.From, name)...)
		out = append(out, append(clause, words("off"), a.it()))
	}
	return out
}

func plural(noun string, side any) string {
	if list, ok := side.([]any); ok && len(list) > 1 {
		return noun + "s"
	}
	return noun
}

// linking tells of links to other items, each of which leads there: "made ENG-1
// wait on ENG-2".
func linking(begins, does, ends, doing string) func(teller, *about, delta) [][]view.Piece {
	return func(_ teller, a *about, d delta) [][]view.Piece {
		var out [][]view.Piece
		for _, side := range []struct {
			keys       any
			verb, then string
		}{{d.To, begins, does}, {d.From, ends, doing}} {
			if side.keys == nil {
				continue
			}
			clause := []view.Piece{words(side.verb), a.it(), words(side.then)}
			for _, key := range several(side.keys, asIs) {
				if key.Value {
					key = view.Piece{Key: key.Text, Href: view.ItemAddress(key.Text)}
				}
				clause = append(clause, key)
			}
			out = append(out, clause)
		}
		return out
	}
}
