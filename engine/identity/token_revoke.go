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

// RevokeToken is what revoke_token is asked.
type RevokeToken struct {
	Token string `json:"token" validate:"required,uuid" jsonschema:"id of the token"`
}

// Object names the token for the record.
func (a RevokeToken) Object() string { return tokenObject(printable(a.Token, 64)) }

// Revoked says which token works no more.
type Revoked struct {
	ID    string `db:"id" json:"id"`
	Label string `db:"label" json:"label"`
	// Person is whose own token it was; empty for a program's.
	Person string `db:"person" json:"person,omitempty"`
}

func declareRevokeToken(i *Identity) tool.Use[RevokeToken, Revoked] {
	return tool.Declare(tool.Spec{
		Name:   "revoke_token",
		Title:  "Revoke a token",
		Brief:  "End a token at once, and whatever it has open.",
		Access: access.Operator(access.PeopleManage).Sensitive(),
		Hints:  tool.Hints{Destructive: true},
	}, i.revokeToken)
}

const (
	revokeToken = `UPDATE tokens SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id, label, coalesce(person::text, '') AS person`
	tokenByID   = `SELECT id, label, coalesce(person::text, '') AS person FROM tokens WHERE id = $1`
)

func (i *Identity) revokeToken(ctx context.Context, c *tool.Call, in RevokeToken) (Revoked, error) {
	c.About(in.Object())
	return revoke(ctx, c, in.Token)
}

// revoke ends a token; one that is revoked already stays as it is.
func revoke(ctx context.Context, c *tool.Call, id string) (Revoked, error) {
	var out Revoked
	err := c.Tx.GetContext(ctx, &out, revokeToken, id, c.Now)
	if err == nil {
		// The log names the credential, so that what it has open closes.
		object := Token{ID: out.ID, Person: out.Person}.object()
		c.Changed("token.revoked", object, map[string]changes.Delta{"label": {To: out.Label}})
		return out, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return Revoked{}, fmt.Errorf("revoke token %s: %w", id, err)
	}
	err = c.Tx.GetContext(ctx, &out, tokenByID, id)
	if errors.Is(err, sql.ErrNoRows) {
		return Revoked{}, refusal.NotFound.Say("There is no such token.")
	}
	if err != nil {
		return Revoked{}, fmt.Errorf("read token %s: %w", id, err)
	}
	c.Unchanged()
	return out, nil
}
