package identity

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// InvitePerson is what invite_person is asked.
type InvitePerson struct {
	Name   string   `json:"name" validate:"required,max=100" jsonschema:"whom it is for, as people call them"`
	Email  string   `json:"email,omitempty" validate:"omitempty,max=254,email" jsonschema:"where mail reaches them; nothing is sent"`
	Grants []string `json:"grants" validate:"required,min=1,max=20,dive,max=64" jsonschema:"what they may do: names of grants you hold, or all"`
	Seat   string   `json:"seat,omitempty" validate:"max=64" jsonschema:"handle of the seat they are to hold; a person's (kind: human) that nobody holds"`
}

// Object names the invitation to be, for the record of a call that was refused.
func (a InvitePerson) Object() string { return invitationObject(printable(a.Name, 64)) }

// Invited is a new invitation. The end of its link is shown once.
type Invited struct {
	Invitation
	Token string `json:"token,omitempty"` // for the address /invitation/{token}
}

// WithoutValue is the answer as it is kept.
func (m Invited) WithoutValue() Invited {
	m.Token = ""
	return m
}

func declareInvitePerson(i *Identity) tool.Use[InvitePerson, Invited] {
	return tool.Declare(tool.Spec{
		Name:   "invite_person",
		Title:  "Invite a person",
		Brief:  "Make a link with which one person joins: once, within seven days, with the grants and the seat it carries. The link is answered once.",
		Access: access.Operator(access.PeopleManage).Sensitive(),
		Once:   true,
	}, i.invitePerson)
}

const insertInvitation = `
	INSERT INTO invitations (id, digest, name, email, grants, seat, author, author_name, created_at, expires_at)
	VALUES ($1, $2, $3, $4, $5, nullif($6, '')::uuid, $7, $8, $9, $10)`

func (i *Identity) invitePerson(ctx context.Context, c *tool.Call, in InvitePerson) (Invited, error) {
	c.About(in.Object())
	grants, err := i.conferred(c.By, in.Grants)
	if err := merged(checkName(in.Name), err); err != nil {
		return Invited{}, err
	}
	seat, err := i.freeSeat(ctx, c, in.Seat)
	if err != nil {
		return Invited{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Invited{}, fmt.Errorf("make an invitation's id: %w", err)
	}
	out := Invited{Token: newSecret(), Invitation: Invitation{
		ID: id.String(), Name: strings.TrimSpace(in.Name), Email: in.Email, Grants: stored(grants), Seat: in.Seat,
		Author: c.By.Name, CreatedAt: c.Now, ExpiresAt: c.Now.Add(invitationFor),
	}}
	_, err = c.Tx.ExecContext(ctx, insertInvitation, out.ID, digest(out.Token), out.Name, out.Email, out.Grants, seat,
		c.By.Key(), c.By.Name, out.CreatedAt, out.ExpiresAt)
	if err != nil {
		return Invited{}, fmt.Errorf("insert the invitation of %q: %w", out.Name, err)
	}
	c.About(invitationObject(out.ID))
	c.Changed("person.invited", invitationObject(out.ID), map[string]changes.Delta{
		"name": {To: out.Name}, "grants": {To: []string(out.Grants)}, "seat": {To: out.Seat}, "expires_at": {To: out.ExpiresAt},
	})
	return out, nil
}

// freeSeat is the id of a seat a person may be put in; "" where none is named.
func (i *Identity) freeSeat(ctx context.Context, c *tool.Call, handle string) (string, error) {
	if handle == "" {
		return "", nil
	}
	d, err := i.org(ctx, c)
	if err != nil {
		return "", err
	}
	seat, err := seatNamed(d, handle, "seat")
	switch {
	case err != nil:
		return "", err
	case seat.Kind != "human":
		return "", refusal.Invalid.Say("%s is an agent's seat. A person holds a seat of kind: human.", seat.Handle).On("seat")
	case seat.Person != "":
		return "", refusal.Invalid.Say("%s holds the seat %s already.", seat.Name, seat.Handle).On("seat")
	}
	return seatID(seat), nil
}
