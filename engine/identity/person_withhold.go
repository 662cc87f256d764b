package identity

import (
	"context"
	"fmt"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/tool"
)

// WithholdPerson is what withhold_person is asked.
type WithholdPerson struct {
	Person string `json:"person" validate:"required,max=200" jsonschema:"whom: login, name, the handle of their seat, or id"`
	Show   bool   `json:"show,omitempty" jsonschema:"show them again"`
}

// Object names the person for the record of a call that was refused.
func (a WithholdPerson) Object() string { return personObject(printable(a.Person, 64)) }

func declareWithholdPerson(i *Identity) tool.Use[WithholdPerson, PersonChanged] {
	return tool.Declare(tool.Spec{
		Name:     "withhold_person",
		Title:    "Withhold a person",
		Brief:    "Show of somebody only name and seat: their login and contacts are shown to nobody, and looking one up finds nobody. With show, take that back.",
		Access:   access.Operator(access.PeopleManage).Sensitive(),
		Audience: tool.Operators,
	}, i.withholdPerson)
}

const withholdPerson = `UPDATE people SET withheld = $2 WHERE id = $1`

func (i *Identity) withholdPerson(ctx context.Context, c *tool.Call, in WithholdPerson) (PersonChanged, error) {
	_, m, err := i.who(ctx, c, in.Person, "person")
	if err != nil {
		return PersonChanged{}, err
	}
	p, err := held(ctx, c, m.Person)
	if err != nil {
		return PersonChanged{}, err
	}
	if p.Withheld == !in.Show {
		c.Unchanged()
		return p.changed(), nil
	}
	p.Withheld = !in.Show
	if _, err := c.Tx.ExecContext(ctx, withholdPerson, p.ID, p.Withheld); err != nil {
		return PersonChanged{}, fmt.Errorf("withhold person %s: %w", p.ID, err)
	}
	kind := "person.withheld"
	if in.Show {
		kind = "person.shown"
	}
	c.Changed(kind, personObject(p.ID), map[string]changes.Delta{"withheld": {From: !p.Withheld, To: p.Withheld}})
	return p.changed(), nil
}
