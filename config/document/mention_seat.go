package document

import (
	"maps"
	"slices"
	"strconv"
)

// SeatMentions lists where a seat is named by its handle beside its own entry:
// as a unit's lead, in manages, in a unit's schedules, and by callers.
func SeatMentions(d *Document, handle string) []Mention {
	m := mentions{doc: d, name: handle}
	m.seats("roles", nil, d.Roles)
	m.units("units", []string{"units"}, d.Units)
	for _, name := range slices.Sorted(maps.Keys(d.Callers.Tokens)) {
		caller, at, steps := d.Callers.Tokens[name], key("callers.tokens", name), []string{"callers", "tokens", name}
		m.value(at+".seat", with(steps, "seat"), caller.Seat)
		if caller.May != nil {
			m.may(at+".may", with(steps, "may"), *caller.May)
		}
	}
	for i, issuer := range d.Callers.Issuers {
		at, steps := index("callers.issuers", i)+".groups", []string{"callers", "issuers", strconv.Itoa(i), "groups"}
		for _, group := range slices.Sorted(maps.Keys(issuer.Groups)) {
			m.may(key(at, group), with(steps, group), issuer.Groups[group])
		}
	}
	return m.found
}

// mentions looks for one handle.
type mentions struct {
	doc   *Document
	name  string
	found []Mention
}

func (m *mentions) value(at string, steps []string, value string) {
	if value == m.name {
		m.found = append(m.found, Mention{Path: at, Pointer: Pointer(steps...), Line: m.doc.Line(at)})
	}
}

func (m *mentions) list(at string, steps []string, values []string) {
	for i, value := range values {
		m.value(index(at, i), with(steps, strconv.Itoa(i)), value)
	}
}

func (m *mentions) seats(at string, steps []string, roles []Role) {
	for i := range roles {
		m.list(index(at, i)+".manages", with(steps, "roles", strconv.Itoa(i), "manages"), roles[i].Manages)
	}
}

func (m *mentions) units(at string, steps []string, units []Unit) {
	for i, u := range units {
		here, steps := index(at, i), with(steps, strconv.Itoa(i))
		m.value(here+".lead", with(steps, "lead"), u.Lead)
		for j, s := range u.Schedules {
			m.value(index(here+".schedules", j)+".seat", with(steps, "schedules", strconv.Itoa(j), "seat"), s.Seat)
		}
		m.seats(here+".roles", steps, u.Roles)
		m.units(here+".children", with(steps, "children"), u.Children)
	}
}

func (m *mentions) may(at string, steps []string, may May) {
	m.list(at+".start", with(steps, "start"), may.Start.Names)
	m.list(at+".read", with(steps, "read"), may.Read.Names)
	m.list(at+".cancel", with(steps, "cancel"), may.Cancel.Names)
	m.list(at+".steer", with(steps, "steer"), may.Steer.Names)
	for i, item := range may.Answer.Items {
		here, steps := index(at+".answer", i), with(steps, "answer", strconv.Itoa(i))
		if _, narrowed := m.doc.places[here+".project"]; narrowed {
			here, steps = here+".project", with(steps, "project")
		}
		m.value(here, steps, item.Project)
	}
}

// RenameSeatEdits are the edits that give a seat another handle, everywhere it
// is named, and, where name is not "", another name. ok is false when no seat
// has the old handle.
func RenameSeatEdits(d *Document, old, handle, name string) (edits []Edit, ok bool) {
	seats := d.Seats()
	at := slices.IndexFunc(seats, func(s Placed) bool { return s.Role.Handle == old })
	if at < 0 {
		return nil, false
	}
	steps := d.stepsOf(seats[at].Role)
	edit := Edit{Op: "replace", Path: Pointer(with(steps, "handle")...), Value: handle}
	if _, written := d.places[seats[at].Path+".handle"]; !written {
		edit.Op = "add" // it was made of the name until now
	}
	edits = append(edits, edit)
	if name != "" && name != seats[at].Role.Name {
		edits = append(edits, Edit{Op: "replace", Path: Pointer(with(steps, "name")...), Value: name})
	}
	if handle == old {
		return edits, true
	}
	for _, m := range SeatMentions(d, old) {
		edits = append(edits, Edit{Op: "replace", Path: m.Pointer, Value: handle})
	}
	return edits, true
}

// stepsOf is where a seat stands, step by step.
func (d *Document) stepsOf(role *Role) []string {
	var in func(steps []string, roles []Role, units []Unit, list string) []string
	in = func(steps []string, roles []Role, units []Unit, list string) []string {
		for i := range roles {
			if &roles[i] == role {
				return with(steps, "roles", strconv.Itoa(i))
			}
		}
		for i := range units {
			if found := in(with(steps, list, strconv.Itoa(i)), units[i].Roles, units[i].Children, "children"); found != nil {
				return found
			}
		}
		return nil
	}
	return in(nil, d.Roles, d.Units, "units")
}
