package identity

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// RevokeOwnToken is what revoke_own_token is asked.
type RevokeOwnToken struct {
	Token string `json:"token" validate:"required,uuid" jsonschema:"id of one of your own tokens"`
}

// Object names the token for the record.
func (a RevokeOwnToken) Object() string { return ownTokenObject(printable(a.Token, 64)) }

func declareRevokeOwnToken(i *Identity) tool.Use[RevokeOwnToken, Revoked] {
	return tool.Declare(tool.Spec{
		Name:   "revoke_own_token",
		Title:  "Revoke a token of your own",
		Brief:  "End one of your own tokens at once, and whatever it has open.",
		Access: access.Self(),
		Hints:  tool.Hints{Destructive: true},
	}, i.revokeOwnToken).Owned(tokenOwner)
}

func (i *Identity) revokeOwnToken(ctx context.Context, c *tool.Call, in RevokeOwnToken) (Revoked, error) {
	c.About(in.Object())
	return revoke(ctx, c, in.Token)
}

const ownerOfToken = `SELECT person FROM tokens WHERE id = $1`

// tokenOwner is nobody for a program's token.
func tokenOwner(ctx context.Context, c *tool.Call, in RevokeOwnToken) (access.Facts, error) {
	var owner sql.NullString
	err := c.Tx.GetContext(ctx, &owner, ownerOfToken, in.Token)
	if errors.Is(err, sql.ErrNoRows) {
		return access.Facts{}, refusal.NotFound.Say("There is no such token.")
	}
	if err != nil {
		return access.Facts{}, fmt.Errorf("read whose token %s is: %w", in.Token, err)
	}
	if !owner.Valid {
		return access.Facts{}, nil
	}
	return access.Facts{Owner: personObject(owner.String)}, nil
}
