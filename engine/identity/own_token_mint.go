package identity

import (
	"context"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// MintOwnToken is what mint_own_token is asked.
type MintOwnToken struct {
	Label     string   `json:"label" validate:"required,max=64" jsonschema:"which assistant it is for, such as claude on my laptop"`
	Grants    []string `json:"grants" validate:"required,min=1,max=20,dive,max=64" jsonschema:"what it may do: names of grants you hold, or all; never more than you may yourself"`
	Days      int      `json:"days,omitempty" jsonschema:"days until it expires, 1 to 365; 90 when left out, and 30 at most with sensitive acts"`
	Sensitive bool     `json:"sensitive,omitempty" jsonschema:"whether it opens sensitive acts: secrets, tokens, people, configuration"`
}

// Object names the token to be, for the record of a call that was refused.
func (a MintOwnToken) Object() string { return ownTokenObject(printable(a.Label, 64)) }

// Rules are those that hold whoever asks: the same as of every token.
func (a MintOwnToken) Rules() map[string]string { return MintToken(a).Rules() }

func declareMintOwnToken(i *Identity) tool.Use[MintOwnToken, Minted] {
	return tool.Declare(tool.Spec{
		Name:   "mint_own_token",
		Title:  "Mint a token of your own",
		Brief:  "Make a token with which your own assistant acts as you. Its value is answered once and kept nowhere.",
		Access: access.Self().Sensitive(),
		Once:   true,
	}, i.mintOwnToken)
}

// A token mints no token: whoever finds one could make it last for ever.
func (i *Identity) mintOwnToken(ctx context.Context, c *tool.Call, in MintOwnToken) (Minted, error) {
	c.About(in.Object())
	if _, err := sessionOf(c.By); err != nil {
		return Minted{}, err
	}
	return i.mint(ctx, c, MintToken(in), ownPrefix, c.By.ID)
}
