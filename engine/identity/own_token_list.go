package identity

import (
	"context"
	"fmt"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// ListOwnTokens asks for one's own tokens.
type ListOwnTokens struct{}

// OwnTokens are a person's own tokens that work or stopped working lately,
// newest first.
type OwnTokens struct {
	Tokens []Token `json:"tokens"`
}

func declareListOwnTokens(i *Identity) tool.Use[ListOwnTokens, OwnTokens] {
	return tool.Declare(tool.Spec{
		Name:   "list_own_tokens",
		Title:  "Your tokens",
		Brief:  "List the tokens your own assistants carry: label, grants, until when, last use. Values are never shown.",
		Access: access.Self(),
		Mode:   tool.Read,
	}, i.listOwnTokens)
}

const tokensOf = `
	SELECT ` + tokenColumns + ` FROM tokens
	WHERE person = $2 AND (revoked_at IS NULL OR revoked_at > $1) AND (expires_at IS NULL OR expires_at > $1)
	ORDER BY id DESC LIMIT 200`

func (i *Identity) listOwnTokens(ctx context.Context, c *tool.Call, _ ListOwnTokens) (OwnTokens, error) {
	if c.By.Kind != access.Person {
		return OwnTokens{}, refusal.Forbidden.Say("Only a person has tokens of their own.").With("reason", "not_self")
	}
	out := OwnTokens{Tokens: []Token{}}
	if err := c.Tx.SelectContext(ctx, &out.Tokens, tokensOf, c.Now.Add(-shownFor), c.By.ID); err != nil {
		return OwnTokens{}, fmt.Errorf("list the tokens of %s: %w", c.By.Name, err)
	}
	return out, nil
}
