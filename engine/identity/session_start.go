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

// SignIn is what sign_in is asked.
type SignIn struct {
	Login    string `json:"login" validate:"required,max=200" jsonschema:"such as jane.doe"`
	Password string `json:"password" validate:"required,max=1000" text:"raw" jsonschema:"the password"`
	Browser

	proved person // whom the password proved, before the transaction
}

// Object names what was typed, for the record of a call that was refused.
func (a SignIn) Object() string { return "login:" + printable(fold(a.Login), 64) }

func declareSignIn(i *Identity) tool.Use[SignIn, SignedIn] {
	return tool.Declare(tool.Spec{
		Name:   "sign_in",
		Title:  "Sign in",
		Brief:  "Begin a browser session with a login and its password.",
		Access: access.Open(),
	}, i.signIn).Ahead(i.proveSignIn)
}

func (i *Identity) proveSignIn(ctx context.Context, c *tool.Call, in SignIn) (SignIn, error) {
	err := onPage(c)
	if err == nil {
		in.proved, err = i.byPassword(ctx, c, try{name: fold(in.Login), source: in.Source}, in.Password)
	}
	return in, err
}

func (i *Identity) signIn(ctx context.Context, c *tool.Call, in SignIn) (SignedIn, error) {
	c.About(in.Object())
	if err := in.proved.stands(ctx, c); err != nil {
		return SignedIn{}, err
	}
	return in.proved.start(ctx, c, in.Browser)
}

// onPage keeps signing in to the page: there the source is the connection's,
// elsewhere it would be the caller's word, and waits would bind nobody.
func onPage(c *tool.Call) error {
	if c.Door == "page" {
		return nil
	}
	return refusal.Forbidden.Say("Passwords are taken on the sign-in page alone. Programs use a token.").With("reason", "no_scope")
}

const personByLogin = `
	SELECT p.id, p.login, p.name, p.email, p.password, p.grants, p.stage, p.withheld,
		coalesce(seat.id::text, '') AS seat, coalesce(seat.handle, '') AS handle
	FROM people p LEFT JOIN seats seat ON seat.id = p.seat AND seat.declared WHERE p.login = $1`

// byPassword finds the person a password proves. Nobody of that name, a wrong
// password and a suspended person are one answer, and take one hash each.
func (i *Identity) byPassword(ctx context.Context, c *tool.Call, who try, password string) (person, error) {
	if wait := i.waits.begin(who, c.Now); wait > 0 {
		return person{}, tooSoon(wait)
	}
	p := person{Password: i.hasher.decoy}
	err := i.db.GetContext(ctx, &p, personByLogin, who.name)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		i.waits.undecided(who)
		return person{}, fmt.Errorf("find a person by login: %w", err)
	}
	ok, err := i.hasher.matches(ctx, who.source, password, p.Password)
	if err != nil {
		i.waits.undecided(who)
		return person{}, err
	}
	if !ok || p.Stage != "active" {
		return person{}, wrong()
	}
	i.waits.right(who)
	return p, nil
}

func wrong() error { return refusal.Unauthenticated.Say("Login or password is wrong.") }

const personStands = `SELECT id FROM people WHERE id = $1 AND password = $2 AND stage = 'active' FOR KEY SHARE`

// stands holds what was proved before the transaction against what is true in
// it: a password changed or a person suspended meanwhile proves nothing.
func (p person) stands(ctx context.Context, c *tool.Call) error {
	var id string
	err := c.Tx.GetContext(ctx, &id, personStands, p.ID, p.Password)
	if errors.Is(err, sql.ErrNoRows) {
		return wrong()
	}
	if err != nil {
		return fmt.Errorf("look at person %s again: %w", p.ID, err)
	}
	return nil
}

func tooSoon(wait time.Duration) error {
	seconds := int((wait + time.Second - 1) / time.Second)
	unit := "seconds"
	if seconds == 1 {
		unit = "second"
	}
	return refusal.RateLimited.Say("That was wrong several times in a row. Try again in %d %s.", seconds, unit).
		After(time.Duration(seconds) * time.Second)
}
