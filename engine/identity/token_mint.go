package identity

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/org"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// How many days a token lasts when nobody says, and at most.
const (
	tokenDays        = 90
	tokenDaysMax     = 365
	sensitiveDaysMax = 30
)

// MintToken is what mint_token is asked.
type MintToken struct {
	Label     string   `json:"label" validate:"required,max=64" jsonschema:"what it is for, such as ci:release"`
	Grants    []string `json:"grants" validate:"required,min=1,max=20,dive,max=64" jsonschema:"what it may do: names of grants you hold, or all"`
	Days      int      `json:"days,omitempty" jsonschema:"days until it expires, 1 to 365; 90 when left out, and 30 at most with sensitive acts"`
	Sensitive bool     `json:"sensitive,omitempty" jsonschema:"whether it opens sensitive acts: secrets, tokens, people, configuration"`
}

// Object names the token to be, for the record of a call that was refused.
func (a MintToken) Object() string { return "token:" + printable(a.Label, 64) }

// Rules are those that hold whoever asks; nobody confers what they do not hold
// besides.
func (a MintToken) Rules() map[string]string {
	wrong := map[string]string{}
	if !org.Visible(a.Label) {
		wrong["label"] = "A label says what the token is for, such as ci:release."
	}
	if _, err := access.ParseGrants(a.Grants); err != nil {
		wrong["grants"] = fmt.Sprintf("The list of grants %s.", err)
	}
	if _, err := a.lasts(); err != nil {
		wrong["days"] = refusal.Of(err).Says
	}
	return wrong
}

// Minted is a new token. The value is shown once.
type Minted struct {
	Token
	Value string `json:"value,omitempty"`
}

// WithoutValue is the answer as it is kept.
func (m Minted) WithoutValue() Minted {
	m.Value = ""
	return m
}

func declareMintToken(i *Identity) tool.Use[MintToken, Minted] {
	return tool.Declare(tool.Spec{
		Name:   "mint_token",
		Title:  "Mint a token",
		Brief:  "Make a token for a program. Its value is answered once and kept nowhere.",
		Access: access.Operator(access.PeopleManage).Sensitive(),
		Once:   true,
	}, i.mintToken)
}

const insertToken = `
	INSERT INTO tokens (id, label, digest, grants, sensitive, created_by, created_at, expires_at, person)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, nullif($9, '')::uuid)
	RETURNING ` + tokenColumns

func (i *Identity) mintToken(ctx context.Context, c *tool.Call, in MintToken) (Minted, error) {
	c.About(in.Object())
	return i.mint(ctx, c, in, tokenPrefix, "")
}

// mint makes a token; person is whose own it is, and empty for a program's.
func (i *Identity) mint(ctx context.Context, c *tool.Call, in MintToken, prefix, person string) (Minted, error) {
	label := strings.TrimSpace(in.Label)
	grants, err := i.conferred(c.By, in.Grants)
	if err != nil {
		return Minted{}, err
	}
	lasts, err := in.lasts()
	if err != nil {
		return Minted{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Minted{}, fmt.Errorf("make a token's id: %w", err)
	}
	out := Minted{Value: prefix + newSecret()}
	err = c.Tx.GetContext(ctx, &out.Token, insertToken, id.String(), label, digest(out.Value), stored(grants),
		in.Sensitive, c.By.Name, c.Now, c.Now.Add(lasts), person)
	if err != nil {
		return Minted{}, fmt.Errorf("insert token %q: %w", label, err)
	}
	c.About(out.object())
	c.Changed("token.minted", out.object(), map[string]changes.Delta{
		"label": {To: label}, "grants": {To: []string(out.Grants)}, "sensitive": {To: in.Sensitive}, "expires_at": {To: out.ExpiresAt},
	})
	return out, nil
}

// conferred reads the grants a token is to have: nobody confers what they do
// not hold, nor what this node lets nobody do.
func (i *Identity) conferred(by access.Principal, names []string) (access.Grants, error) {
	grants, err := access.ParseGrants(names)
	if err != nil {
		return access.None, refusal.Invalid.Say("The list of grants %s.", err).On("grants")
	}
	if over := grants &^ i.max; over != access.None {
		return access.None, refusal.Invalid.Say("This node allows nobody %s (CREWLET_MAX_GRANTS); choose among %s.", over, i.max&by.Grants).On("grants")
	}
	if missing := grants &^ by.Grants; missing != access.None {
		return access.None, refusal.Invalid.Say("Nobody gives what they do not hold, and you do not hold %s; choose among %s.", missing, by.Grants).On("grants")
	}
	return grants, nil
}

func (a MintToken) lasts() (time.Duration, error) {
	days, most := a.Days, tokenDaysMax
	if a.Sensitive {
		most = sensitiveDaysMax
	}
	if days == 0 {
		days = min(tokenDays, most)
	}
	if days < 1 || days > most {
		says := "A token lasts 1 to 365 days."
		if a.Sensitive {
			says = "A token for sensitive acts lasts 1 to 30 days."
		}
		return 0, refusal.Invalid.Say("%s", says).On("days")
	}
	return time.Duration(days) * 24 * time.Hour, nil
}
