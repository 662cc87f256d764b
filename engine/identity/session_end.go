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

// SignOut ends the session it is called with.
type SignOut struct{}

// EndSignIn is what end_sign_in is asked.
type EndSignIn struct {
	Session string `json:"session" validate:"required,uuid" jsonschema:"id of one of your own sign-ins"`
}

// Object names the session for the record.
func (a EndSignIn) Object() string { return sessionObject(printable(a.Session, 64)) }

// Ended says which session is over.
type Ended struct {
	Session string `json:"session"`
}

func declareSignOut(i *Identity) tool.Use[SignOut, Ended] {
	return tool.Declare(tool.Spec{
		Name:   "sign_out",
		Title:  "Sign out",
		Brief:  "End the browser session this call came with.",
		Access: access.Self(),
	}, i.signOut)
}

func (i *Identity) signOut(ctx context.Context, c *tool.Call, _ SignOut) (Ended, error) {
	id, err := sessionOf(c.By)
	if err != nil {
		return Ended{}, err
	}
	return end(ctx, c, id)
}

func declareEndSignIn(i *Identity) tool.Use[EndSignIn, Ended] {
	return tool.Declare(tool.Spec{
		Name:   "end_sign_in",
		Title:  "End a sign-in",
		Brief:  "End one of your own browser sessions; what it shows closes at once.",
		Access: access.Self(),
	}, i.endSignIn).Owned(sessionOwner)
}

func (i *Identity) endSignIn(ctx context.Context, c *tool.Call, in EndSignIn) (Ended, error) {
	if _, err := sessionOf(c.By); err != nil {
		return Ended{}, err // a token ends itself, and no sign-in
	}
	return end(ctx, c, in.Session)
}

const ownerOfSession = `SELECT person FROM browser_sessions WHERE id = $1`

func sessionOwner(ctx context.Context, c *tool.Call, in EndSignIn) (access.Facts, error) {
	var owner string
	err := c.Tx.GetContext(ctx, &owner, ownerOfSession, in.Session)
	if errors.Is(err, sql.ErrNoRows) {
		return access.Facts{}, refusal.NotFound.Say("There is no such sign-in.")
	}
	if err != nil {
		return access.Facts{}, fmt.Errorf("read whose sign-in %s is: %w", in.Session, err)
	}
	return access.Facts{Owner: access.Principal{Kind: access.Person, ID: owner}.Key()}, nil
}

const endSession = `UPDATE browser_sessions SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL RETURNING id`

// end closes a session; one that is closed already stays as it is.
func end(ctx context.Context, c *tool.Call, id string) (Ended, error) {
	c.About(sessionObject(id))
	var ended string
	err := c.Tx.GetContext(ctx, &ended, endSession, id, c.Now)
	if errors.Is(err, sql.ErrNoRows) {
		c.Unchanged()
		return Ended{Session: id}, nil
	}
	if err != nil {
		return Ended{}, fmt.Errorf("end session %s: %w", id, err)
	}
	c.Changed("session.ended", sessionObject(id), nil)
	return Ended{Session: id}, nil
}
