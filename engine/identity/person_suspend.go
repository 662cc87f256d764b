package identity

import (
	"context"
	"fmt"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// SuspendPerson is what suspend_person is asked.
type SuspendPerson struct {
	Person string `json:"person" validate:"required,max=200" jsonschema:"whom: login, name, the handle of their seat, or id"`
}

// RestorePerson is what restore_person is asked.
type RestorePerson struct {
	Person string `json:"person" validate:"required,max=200" jsonschema:"whom: login, name, the handle of their seat, or id"`
}

// Object names the person for the record of a call that was refused.
func (a SuspendPerson) Object() string { return personObject(printable(a.Person, 64)) }

// Object names the person for the record of a call that was refused.
func (a RestorePerson) Object() string { return personObject(printable(a.Person, 64)) }

func declareSuspendPerson(i *Identity) tool.Use[SuspendPerson, PersonChanged] {
	return tool.Declare(tool.Spec{
		Name:     "suspend_person",
		Title:    "Suspend a person",
		Brief:    "Keep somebody out at once: their sign-ins end, their own tokens and open invitations work no more. Their work and their seat stay.",
		Access:   access.Operator(access.PeopleManage).Sensitive(),
		Audience: tool.Operators,
		Hints:    tool.Hints{Destructive: true},
	}, i.suspendPerson)
}

const (
	suspendPerson = `UPDATE people SET stage = 'suspended' WHERE id = $1`
	restorePerson = `UPDATE people SET stage = 'active' WHERE id = $1`
	endSessionsOf = `UPDATE browser_sessions SET ended_at = $2 WHERE person = $1 AND ended_at IS NULL`
)

func (i *Identity) suspendPerson(ctx context.Context, c *tool.Call, in SuspendPerson) (PersonChanged, error) {
	_, m, err := i.who(ctx, c, in.Person, "person")
	if err != nil {
		return PersonChanged{}, err
	}
	p, err := held(ctx, c, m.Person)
	if err != nil {
		return PersonChanged{}, err
	}
	if c.By.Kind == access.Person && c.By.ID == p.ID {
		return PersonChanged{}, refusal.Conflict.Say("You cannot suspend yourself: nobody could tell that it was meant. Ask another administrator.")
	}
	if p.Stage == "suspended" {
		c.Unchanged()
		return p.changed(), nil
	}
	if _, err := c.Tx.ExecContext(ctx, suspendPerson, p.ID); err != nil {
		return PersonChanged{}, fmt.Errorf("suspend person %s: %w", p.ID, err)
	}
	if err := stillManaged(ctx, c); err != nil {
		return PersonChanged{}, err
	}
	if _, err := c.Tx.ExecContext(ctx, endSessionsOf, p.ID, c.Now); err != nil {
		return PersonChanged{}, fmt.Errorf("end the sessions of %s: %w", p.ID, err)
	}
	if err := withdraw(ctx, c, p.ID); err != nil {
		return PersonChanged{}, err
	}
	p.Stage = "suspended"
	c.Changed("person.suspended", personObject(p.ID), map[string]changes.Delta{"stage": {From: "active", To: p.Stage}})
	return p.changed(), nil
}

func declareRestorePerson(i *Identity) tool.Use[RestorePerson, PersonChanged] {
	return tool.Declare(tool.Spec{
		Name:     "restore_person",
		Title:    "Restore a person",
		Brief:    "Let somebody who was suspended sign in again, with the grants they had. You have to hold those yourself.",
		Access:   access.Operator(access.PeopleManage).Sensitive(),
		Audience: tool.Operators,
	}, i.restorePerson)
}

// Restoring confers anew what the person may do.
func (i *Identity) restorePerson(ctx context.Context, c *tool.Call, in RestorePerson) (PersonChanged, error) {
	_, m, err := i.who(ctx, c, in.Person, "person")
	if err != nil {
		return PersonChanged{}, err
	}
	p, err := held(ctx, c, m.Person)
	if err != nil {
		return PersonChanged{}, err
	}
	if p.Stage == "active" {
		c.Unchanged()
		return p.changed(), nil
	}
	grants, err := access.Stored(p.Grants)
	if err != nil {
		return PersonChanged{}, fmt.Errorf("grants of %s: %w", p.ID, err)
	}
	if err := i.confers(c.By, grants&i.max, "person"); err != nil {
		return PersonChanged{}, err
	}
	if _, err := c.Tx.ExecContext(ctx, restorePerson, p.ID); err != nil {
		return PersonChanged{}, fmt.Errorf("restore person %s: %w", p.ID, err)
	}
	p.Stage = "active"
	c.Changed("person.restored", personObject(p.ID), map[string]changes.Delta{"stage": {From: "suspended", To: p.Stage}})
	return p.changed(), nil
}
