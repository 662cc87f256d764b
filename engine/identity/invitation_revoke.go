package identity

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// RevokeInvitation is what revoke_invitation is asked.
type RevokeInvitation struct {
	Invitation string `json:"invitation" validate:"required,uuid" jsonschema:"id of an invitation nobody used yet"`
}

// Object names the invitation for the record.
func (a RevokeInvitation) Object() string { return invitationObject(printable(a.Invitation, 64)) }

// RevokedInvitation says which link works no more.
type RevokedInvitation struct {
	ID   string `db:"id" json:"id"`
	Name string `db:"name" json:"name"`
}

func declareRevokeInvitation(i *Identity) tool.Use[RevokeInvitation, RevokedInvitation] {
	return tool.Declare(tool.Spec{
		Name:     "revoke_invitation",
		Title:    "Take an invitation back",
		Brief:    "Let an invitation that nobody used yet work no more.",
		Access:   access.Operator(access.PeopleManage),
		Audience: tool.Operators,
		Hints:    tool.Hints{Destructive: true},
	}, i.revokeInvitation)
}

const (
	revokeInvitation = `
		UPDATE invitations SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL AND used_at IS NULL RETURNING id, name`
	invitationByID = `SELECT id, name, used_at FROM invitations WHERE id = $1`
)

func (i *Identity) revokeInvitation(ctx context.Context, c *tool.Call, in RevokeInvitation) (RevokedInvitation, error) {
	c.About(in.Object())
	var out RevokedInvitation
	err := c.Tx.GetContext(ctx, &out, revokeInvitation, in.Invitation, c.Now)
	if err == nil {
		c.Changed("person.uninvited", in.Object(), map[string]changes.Delta{"name": {From: out.Name}})
		return out, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return RevokedInvitation{}, fmt.Errorf("take back invitation %s: %w", in.Invitation, err)
	}
	var was struct {
		RevokedInvitation
		Used sql.NullTime `db:"used_at"`
	}
	err = c.Tx.GetContext(ctx, &was, invitationByID, in.Invitation)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return RevokedInvitation{}, refusal.NotFound.Say("There is no such invitation.")
	case err != nil:
		return RevokedInvitation{}, fmt.Errorf("read invitation %s: %w", in.Invitation, err)
	case was.Used.Valid:
		return RevokedInvitation{}, refusal.Conflict.Say("%s has joined with this invitation already. Suspend the person instead.", was.Name)
	}
	c.Unchanged()
	return was.RevokedInvitation, nil
}
