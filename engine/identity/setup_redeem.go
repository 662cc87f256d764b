package identity

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/tool"
)

// RedeemSetup is what redeem_setup is asked.
type RedeemSetup struct {
	Token    string `json:"token" validate:"required,max=100" jsonschema:"the end of the set-up link"`
	Login    string `json:"login" validate:"required,max=64" jsonschema:"such as jane.doe; it cannot be changed later"`
	Name     string `json:"name" validate:"required,max=100" jsonschema:"as people call you"`
	Email    string `json:"email,omitempty" validate:"omitempty,max=254,email" jsonschema:"where mail reaches you"`
	Password string `json:"password" validate:"required,max=1000" text:"raw" jsonschema:"at least 12 characters"`
	Browser
}

// Object names what the call is about, for the record of a refusal.
func (a RedeemSetup) Object() string { return "login:" + printable(fold(a.Login), 64) }

func declareRedeemSetup(i *Identity) tool.Use[RedeemSetup, SignedIn] {
	return tool.Declare(tool.Spec{
		Name:   "redeem_setup",
		Title:  "Set up Crewlet",
		Brief:  "Create the first administrator with the one-time set-up link, and sign in.",
		Access: access.Open(),
	}, i.redeemSetup)
}

// Two at once: the second waits here for the first, then finds it used.
const useSetupLink = `
	UPDATE setup_links SET used_at = $2
	WHERE digest = $1 AND used_at IS NULL AND expires_at > $2 AND NOT EXISTS (SELECT FROM people)
	RETURNING digest`

func (i *Identity) redeemSetup(ctx context.Context, c *tool.Call, in RedeemSetup) (SignedIn, error) {
	c.About(in.Object())
	if err := onPage(c); err != nil {
		return SignedIn{}, err
	}
	if err := spend(ctx, c, in.Token); err != nil {
		return SignedIn{}, err
	}
	p := person{Login: fold(in.Login), Name: strings.TrimSpace(in.Name), Email: in.Email, Grants: stored(access.All), Stage: "active"}
	if err := merged(checkLogin(p.Login), checkPassword(in.Password, p.Login, p.Name, p.Email)); err != nil {
		return SignedIn{}, err
	}
	encoded, err := i.hasher.hash(ctx, c.Tx, in.Password)
	if err != nil {
		return SignedIn{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return SignedIn{}, fmt.Errorf("make a person's id: %w", err)
	}
	p.ID, p.Password = id.String(), encoded
	if err := p.insert(ctx, c); err != nil {
		return SignedIn{}, err
	}
	c.About("person:" + p.ID)
	c.Changed("person.created", "person:"+p.ID, map[string]changes.Delta{
		"login": {To: p.Login}, "name": {To: p.Name}, "grants": {To: []string(p.Grants)},
	})
	return p.start(ctx, c, in.Browser)
}

// spend uses the link; a refusal later in the call gives it back.
func spend(ctx context.Context, c *tool.Call, token string) error {
	var used []byte
	err := c.Tx.GetContext(ctx, &used, useSetupLink, digest(token), c.Now)
	if err == nil {
		return nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("use the set-up link: %w", err)
	}
	var id string
	err = c.Tx.GetContext(ctx, &id, anybody)
	if errors.Is(err, sql.ErrNoRows) {
		return setupGone()
	}
	if err != nil {
		return fmt.Errorf("look for people: %w", err)
	}
	return setupClosed()
}
