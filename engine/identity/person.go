package identity

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/lib/pq"

	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// person is somebody who may sign in.
type person struct {
	ID       string         `db:"id"`
	Login    string         `db:"login"`
	Name     string         `db:"name"`
	Email    string         `db:"email"`
	Password string         `db:"password"` // encoded argon2id
	Grants   pq.StringArray `db:"grants"`
	Stage    string         `db:"stage"`
	Withheld bool           `db:"withheld"`
	Seat     string         `db:"seat"`   // id of the one they hold; empty where they hold none
	Handle   string         `db:"handle"` // of that seat
}

// recorded is what log and record call a person: by their seat's handle while
// they hold one, and else by their login, which is shown of nobody withheld.
func recorded(login, name, handle string, withheld bool) string {
	switch {
	case handle != "":
		return handle
	case withheld:
		return name
	default:
		return login
	}
}

func personObject(id string) string { return access.PersonParty(id) }

// loginShape needs a dot: a seat's handle is one segment and a machine's name
// has colons, so the three can never be taken for each other.
var loginShape = regexp.MustCompile(`^[a-z0-9_-]+(\.[a-z0-9_-]+)+$`)

// fold reads a login as it was typed: case and outer blanks do not matter.
func fold(login string) string { return strings.ToLower(strings.TrimSpace(login)) }

func checkLogin(login string) error {
	if !loginShape.MatchString(login) || len(login) > 64 {
		return refusal.Invalid.Say("A login is at least two segments of letters, digits, - and _, parted by dots, at most 64 characters in all, such as jane.doe.").On("login")
	}
	return nil
}

// merged is several checks as one refusal, so that a form says at once all
// that is wrong with it. An error that is no refusal comes alone.
func merged(checks ...error) error {
	var all *refusal.Refusal
	for _, err := range checks {
		no, ok := errors.AsType[*refusal.Refusal](err)
		switch {
		case err == nil:
		case !ok:
			return err
		case all == nil:
			all = no
		default:
			all.Says = "Some of what you sent cannot be taken."
			for field, says := range no.Fields {
				all = all.Beside(field, says)
			}
		}
	}
	if all == nil {
		return nil
	}
	return all
}

const insertPerson = `
	INSERT INTO people (id, login, name, email, password, grants, created_at, seat)
	VALUES ($1, $2, $3, $4, $5, $6, $7, nullif($8, '')::uuid)`

func (p person) insert(ctx context.Context, c *tool.Call) error {
	_, err := c.Tx.ExecContext(ctx, insertPerson, p.ID, p.Login, p.Name, p.Email, p.Password, p.Grants, c.Now, p.Seat)
	if db.Violates(err, "people_login") {
		return refusal.Invalid.Say("Somebody already has the login %s; choose another.", p.Login).On("login")
	}
	if err != nil {
		return fmt.Errorf("insert person %s: %w", p.Login, err)
	}
	return nil
}

// stored is how grants are kept: "all" stays all when a later release knows
// more of them.
func stored(g access.Grants) pq.StringArray {
	if g == access.All {
		return pq.StringArray{"all"}
	}
	return g.List()
}

// printable makes text that came from outside fit for a record: no control
// characters, valid UTF-8, at most limit characters.
func printable(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	if runes := []rune(s); len(runes) > limit {
		return string(runes[:limit])
	}
	return s
}
