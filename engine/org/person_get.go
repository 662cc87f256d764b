package org

import (
	"context"
	"strings"

	"crewlet/engine/access"
	"crewlet/engine/company"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// GetPerson is what get_person is asked.
type GetPerson struct {
	Person string `json:"person" validate:"required,max=200" jsonschema:"a handle, login, name, e-mail address or contact; me"`
}

// PersonRead is one of the company's own with where they stand.
type PersonRead struct {
	Member
	UnitName string   `json:"unit_name,omitempty"`
	Project  string   `json:"project,omitempty"` // key of the project their unit, or the nearest above it, owns
	Leads    []Member `json:"leads"`             // who leads them, nearest first
	Reports  []Member `json:"reports"`           // whom they lead or manage
}

func declareGetPerson(o *Org) tool.Use[GetPerson, PersonRead] {
	return tool.Declare(tool.Spec{
		Name:     "get_person",
		Title:    "A person or a seat",
		Brief:    "Find whom a word means among people and seats, with their unit, who leads them and whom they lead. A word that may mean several is refused with them.",
		Access:   access.Operator(access.StateRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, o.getPerson)
}

// Holders are the people in seats, by the seat's id.
func (o *Org) Holders(ctx context.Context, c *tool.Call) (map[string]company.Holder, error) {
	d, err := o.At(ctx, c)
	if err != nil {
		return nil, err
	}
	held := map[string]company.Holder{}
	for _, m := range d.members {
		if id, seat := strings.CutPrefix(m.Party, access.SeatParty("")); seat && m.Person != "" {
			held[id] = company.Holder{Name: m.Name, Login: m.Login}
		}
	}
	return held, nil
}

func (o *Org) getPerson(ctx context.Context, c *tool.Call, in GetPerson) (PersonRead, error) {
	d, err := o.At(ctx, c)
	if err != nil {
		return PersonRead{}, err
	}
	m, err := d.meant(in.Person, c.By)
	if err != nil {
		return PersonRead{}, err
	}
	out := PersonRead{Member: m, Leads: []Member{}, Reports: []Member{}}
	if u, ok := d.Unit(m.Unit); ok {
		out.UnitName = u.Name
	}
	for _, u := range d.above(m.Unit) {
		if out.Project = u.Project; out.Project != "" {
			break
		}
	}
	for _, party := range d.Leads(m.Unit) {
		if lead, ok := d.Member(party); ok && lead.Party != m.Party {
			out.Leads = append(out.Leads, lead)
		}
	}
	for _, other := range d.members {
		if d.over(m.Party, other) {
			out.Reports = append(out.Reports, other)
		}
	}
	return out, nil
}

// meant is whom a word means to a caller, who may be called me.
func (d *Directory) meant(word string, by access.Principal) (Member, error) {
	if !strings.EqualFold(strings.TrimPrefix(word, "@"), "me") {
		return d.Resolve(word, "person")
	}
	m, ok := d.Member(by.Party())
	if !ok {
		return m, refusal.Invalid.Say("You are none of the company's people or seats: %s is a program's name.", by.Name).On("person")
	}
	return m, nil
}
