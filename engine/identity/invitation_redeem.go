package identity

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// RedeemInvitation is what redeem_invitation is asked.
type RedeemInvitation struct {
	Token    string `json:"token" validate:"required,max=100" jsonschema:"the end of the invitation's link"`
	Login    string `json:"login" validate:"required,max=64" jsonschema:"such as jane.doe; it cannot be changed later"`
	Name     string `json:"name" validate:"required,max=100" jsonschema:"as people call you"`
	Email    string `json:"email,omitempty" validate:"omitempty,max=254,email" jsonschema:"where mail reaches you"`
	Password string `json:"password" validate:"required,max=1000" text:"raw" jsonschema:"at least 12 characters"`
	Browser

	encoded string // the password's hash, made before the transaction
}

// Object names what the call is about, for the record of a refusal.
func (a RedeemInvitation) Object() string { return "login:" + printable(fold(a.Login), 64) }

func declareRedeemInvitation(i *Identity) tool.Use[RedeemInvitation, SignedIn] {
	return tool.Declare(tool.Spec{
		Name:   "redeem_invitation",
		Title:  "Join",
		Brief:  "Join with an invitation, and sign in.",
		Access: access.Open(),
	}, i.redeemInvitation).Ahead(i.hashInvited)
}

// hashInvited hashes only for a link that can be spent: nobody else may make
// the node work. Whether it is spent is decided in the transaction.
func (i *Identity) hashInvited(ctx context.Context, c *tool.Call, in RedeemInvitation) (RedeemInvitation, error) {
	if err := onPage(c); err != nil {
		return in, err
	}
	_, err := i.Invited(ctx, in.Token)
	if refusal.Is(err, refusal.NotFound) {
		return in, nil // a repeat of the call that spent it is answered below
	}
	if err != nil {
		return in, err
	}
	login, name := fold(in.Login), strings.TrimSpace(in.Name)
	if err := merged(checkName(name), checkLogin(login), checkPassword(in.Password, login, name, in.Email)); err != nil {
		return in, err
	}
	in.encoded, err = i.hasher.hash(ctx, in.Source, in.Password)
	return in, err
}

const (
	// Two at once: the second waits here for the first, then finds it used.
	useInvitation = `
		UPDATE invitations SET used_at = $2, person = $3
		WHERE digest = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $2
		RETURNING id, grants, coalesce(seat::text, '') AS seat`

	// A seat that was taken or removed since is left out: the person joins all
	// the same.
	seatStillFree = `
		SELECT id, handle FROM seats
		WHERE id = $1 AND declared AND NOT EXISTS (SELECT FROM people WHERE seat = seats.id)`
)

func (i *Identity) redeemInvitation(ctx context.Context, c *tool.Call, in RedeemInvitation) (SignedIn, error) {
	c.About(in.Object())
	id, err := uuid.NewV7()
	if err != nil {
		return SignedIn{}, fmt.Errorf("make a person's id: %w", err)
	}
	p := person{ID: id.String(), Login: fold(in.Login), Name: strings.TrimSpace(in.Name), Email: in.Email, Password: in.encoded, Stage: "active"}
	if in.encoded == "" {
		return SignedIn{}, invitationGone()
	}
	invitation, err := p.accept(ctx, c, in.Token)
	if err != nil {
		return SignedIn{}, err
	}
	c.About(personObject(p.ID))
	c.Changed("person.created", personObject(p.ID), map[string]changes.Delta{
		"login": {To: p.Login}, "name": {To: p.Name}, "grants": {To: []string(p.Grants)}, "invitation": {To: invitation},
	})
	if p.Seat != "" {
		c.Changed("seat.bound", access.SeatParty(p.Seat), map[string]changes.Delta{"person": {To: p.Name}, "handle": {To: p.Handle}})
	}
	return p.start(ctx, c, in.Browser)
}

// accept spends the invitation and makes the person it was for; a refusal
// later in the call gives it back.
func (p *person) accept(ctx context.Context, c *tool.Call, token string) (string, error) {
	p.Grants = pq.StringArray{}
	if err := p.insert(ctx, c); err != nil {
		return "", err
	}
	var used struct {
		ID     string         `db:"id"`
		Grants pq.StringArray `db:"grants"`
		Seat   string         `db:"seat"`
	}
	err := c.Tx.GetContext(ctx, &used, useInvitation, digest(token), c.Now, p.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", invitationGone()
	}
	if err != nil {
		return "", fmt.Errorf("use an invitation: %w", err)
	}
	p.Grants = used.Grants
	if _, err := c.Tx.ExecContext(ctx, grantPerson, p.ID, p.Grants); err != nil {
		return "", fmt.Errorf("grant person %s: %w", p.ID, err)
	}
	return used.ID, p.take(ctx, c, used.Seat)
}

// take puts a new person in the seat that came with their invitation.
func (p *person) take(ctx context.Context, c *tool.Call, seat string) error {
	if seat == "" {
		return nil
	}
	var free struct {
		ID     string `db:"id"`
		Handle string `db:"handle"`
	}
	err := c.Tx.GetContext(ctx, &free, seatStillFree, seat)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at seat %s: %w", seat, err)
	}
	_, err = c.Tx.ExecContext(ctx, seatPerson, p.ID, free.ID)
	if db.Violates(err, "people_seat") {
		return refusal.Conflict.Say("Somebody took the seat %s this very moment. Send the form again to join without it.", free.Handle)
	}
	if err != nil {
		return fmt.Errorf("put person %s in seat %s: %w", p.ID, seat, err)
	}
	p.Seat, p.Handle = free.ID, free.Handle
	return nil
}
