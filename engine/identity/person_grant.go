package identity

import (
	"context"
	"fmt"
	"slices"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// GrantPerson is what grant_person is asked.
type GrantPerson struct {
	Person string   `json:"person" validate:"required,max=200" jsonschema:"whom: login, name, the handle of their seat, or id"`
	Grants []string `json:"grants" validate:"max=20,dive,max=64" jsonschema:"all they may do from now on, or all; none takes everything away"`
}

// Object names the person for the record of a call that was refused.
func (a GrantPerson) Object() string { return personObject(printable(a.Person, 64)) }

func declareGrantPerson(i *Identity) tool.Use[GrantPerson, PersonChanged] {
	return tool.Declare(tool.Spec{
		Name:     "grant_person",
		Title:    "Set a person's grants",
		Brief:    "Set what somebody may do. You give only what you hold yourself; taking away is always allowed, and takes effect at once.",
		Access:   access.Operator(access.PeopleManage).Sensitive(),
		Audience: tool.Operators,
	}, i.grantPerson)
}

const grantPerson = `UPDATE people SET grants = $2 WHERE id = $1`

func (i *Identity) grantPerson(ctx context.Context, c *tool.Call, in GrantPerson) (PersonChanged, error) {
	now, err := grantsOf(in.Grants)
	if err != nil {
		return PersonChanged{}, err
	}
	_, m, err := i.who(ctx, c, in.Person, "person")
	if err != nil {
		return PersonChanged{}, err
	}
	p, err := held(ctx, c, m.Person)
	if err != nil {
		return PersonChanged{}, err
	}
	was, err := access.Stored(p.Grants)
	if err != nil {
		return PersonChanged{}, fmt.Errorf("grants of %s: %w", p.ID, err)
	}
	if err := i.confers(c.By, now&^was, "grants"); err != nil {
		return PersonChanged{}, err
	}
	before := p.Grants
	p.Grants = stored(now)
	if slices.Equal(before, p.Grants) {
		c.Unchanged()
		return p.changed(), nil
	}
	if _, err := c.Tx.ExecContext(ctx, grantPerson, p.ID, p.Grants); err != nil {
		return PersonChanged{}, fmt.Errorf("set the grants of %s: %w", p.ID, err)
	}
	if err := stillManaged(ctx, c); err != nil {
		return PersonChanged{}, err
	}
	if was&^now != access.None {
		if err := withdraw(ctx, c, p.ID); err != nil {
			return PersonChanged{}, err
		}
	}
	c.Changed("person.granted", personObject(p.ID), map[string]changes.Delta{"grants": {From: list(before), To: list(p.Grants)}})
	return p.changed(), nil
}

// grantsOf reads a list that may be empty.
func grantsOf(names []string) (access.Grants, error) {
	if len(names) == 0 {
		return access.None, nil
	}
	grants, err := access.ParseGrants(names)
	if err != nil {
		return access.None, refusal.Invalid.Say("The list of grants %s.", err).On("grants")
	}
	return grants, nil
}
