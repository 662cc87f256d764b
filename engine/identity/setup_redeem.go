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
	"crewlet/engine/refusal"
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

	encoded string // the password's hash, made before the transaction
}

// Object names what the call is about, for the record of a refusal.
func (a RedeemSetup) Object() string { return "login:" + printable(fold(a.Login), 64) }

func declareRedeemSetup(i *Identity) tool.Use[RedeemSetup, SignedIn] {
	return tool.Declare(tool.Spec{
		Name:   "redeem_setup",
		Title:  "Set up Crewlet",
		Brief:  "Create the first administrator with the one-time set-up link, and sign in.",
		Access: access.Open(),
	}, i.redeemSetup).Ahead(i.hashSetup)
}

// hashSetup hashes only for a link that can be spent: nobody else may make the
// node work. Whether it is spent is decided in the transaction.
func (i *Identity) hashSetup(ctx context.Context, c *tool.Call, in RedeemSetup) (RedeemSetup, error) {
	if err := onPage(c); err != nil {
		return in, err
	}
	err := i.SetupOpen(ctx, in.Token)
	if refusal.Is(err, refusal.Conflict) || refusal.Is(err, refusal.NotFound) {
		return in, nil // a repeat of the call that spent it is answered below
	}
	if err != nil {
		return in, err
	}
	p := in.person()
	if err := merged(checkName(p.Name), checkLogin(p.Login), checkPassword(in.Password, p.Login, p.Name, p.Email)); err != nil {
		return in, err
	}
	in.encoded, err = i.hasher.hash(ctx, in.Source, in.Password)
	return in, err
}

func (a RedeemSetup) person() person {
	return person{
		Login: fold(a.Login), Name: strings.TrimSpace(a.Name), Email: a.Email,
		Grants: stored(access.All), Stage: "active", Password: a.encoded,
	}
}

// Two at once: the second waits here for the first, then finds it used.
const useSetupLink = `
	UPDATE setup_links SET used_at = $2
	WHERE digest = $1 AND used_at IS NULL AND expires_at > $2 AND NOT EXISTS (SELECT FROM people)
	RETURNING digest`

func (i *Identity) redeemSetup(ctx context.Context, c *tool.Call, in RedeemSetup) (SignedIn, error) {
	c.About(in.Object())
	if err := spend(ctx, c, in.Token); err != nil {
		return SignedIn{}, err
	}
	if in.encoded == "" {
		return SignedIn{}, setupGone() // it opened again this very moment
	}
	p := in.person()
	id, err := uuid.NewV7()
	if err != nil {
		return SignedIn{}, fmt.Errorf("make a person's id: %w", err)
	}
	p.ID = id.String()
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
