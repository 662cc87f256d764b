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
	revokeToken = `UPDATE tokens SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id, label`
	tokenByID   = `SELECT id, label FROM tokens WHERE id = $1`
)

func (i *Identity) revokeToken(ctx context.Context, c *tool.Call, in RevokeToken) (Revoked, error) {
	c.About(in.Object())
	var out Revoked
	err := c.Tx.GetContext(ctx, &out, revokeToken, in.Token, c.Now)
	if err == nil {
		c.Changed("token.revoked", in.Object(), map[string]changes.Delta{"label": {To: out.Label}})
		return out, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return Revoked{}, fmt.Errorf("revoke token %s: %w", in.Token, err)
	}
	err = c.Tx.GetContext(ctx, &out, tokenByID, in.Token)
	if errors.Is(err, sql.ErrNoRows) {
		return Revoked{}, refusal.NotFound.Say("There is no such token.")
	}
	if err != nil {
		return Revoked{}, fmt.Errorf("read token %s: %w", in.Token, err)
	}
	c.Unchanged()
	return out, nil
}
