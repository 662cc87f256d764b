package identity

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// ConfirmPassword is what confirm_password is asked.
type ConfirmPassword struct {
	Password string `json:"password" validate:"required,max=1000" text:"raw" jsonschema:"your password once more"`

	proved person // whom the password proved, before the transaction
}

// Confirmed says how long sensitive acts are open.
type Confirmed struct {
	Until time.Time `json:"until"` // UTC
}

func declareConfirmPassword(i *Identity) tool.Use[ConfirmPassword, Confirmed] {
	return tool.Declare(tool.Spec{
		Name:   "confirm_password",
		Title:  "Confirm your password",
		Brief:  "Type your password again, so that sensitive acts are open for an hour.",
		Access: access.Self(),
	}, i.confirmPassword).Ahead(i.proveAgain)
}

const loginOf = `SELECT login FROM people WHERE id = $1`

// Tries are counted per session: whoever holds a stolen one cannot make its
// owner wait elsewhere.
func (i *Identity) proveAgain(ctx context.Context, c *tool.Call, in ConfirmPassword) (ConfirmPassword, error) {
	id, err := sessionOf(c.By)
	if err != nil {
		return in, err
	}
	c.About(sessionObject(id))
	var login string
	if err := i.db.GetContext(ctx, &login, loginOf, c.By.ID); err != nil {
		return in, fmt.Errorf("read the login of %s: %w", c.By.ID, err)
	}
	in.proved, err = i.byPassword(ctx, c, try{name: login, source: sessionObject(id)}, in.Password)
	if refusal.Is(err, refusal.Unauthenticated) {
		err = refusal.Invalid.Say("This is not your password.").On("password")
	}
	return in, err
}

const confirmSession = `
	UPDATE browser_sessions SET confirmed_at = $2 WHERE id = $1 AND ended_at IS NULL RETURNING id`

func (i *Identity) confirmPassword(ctx context.Context, c *tool.Call, in ConfirmPassword) (Confirmed, error) {
	id, err := sessionOf(c.By)
	if err != nil {
		return Confirmed{}, err
	}
	c.About(sessionObject(id))
	if err := in.proved.stands(ctx, c); err != nil {
		return Confirmed{}, err
	}
	var confirmed string
	err = c.Tx.GetContext(ctx, &confirmed, confirmSession, id, c.Now)
	if errors.Is(err, sql.ErrNoRows) {
		return Confirmed{}, signedOut()
	}
	if err != nil {
		return Confirmed{}, fmt.Errorf("confirm session %s: %w", id, err)
	}
	c.Changed("session.confirmed", sessionObject(id), nil)
	return Confirmed{Until: c.Now.Add(freshFor)}, nil
}
