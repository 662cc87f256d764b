package identity

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// How long a sign-in lasts, and how long the password counts as just typed.
const (
	idleFor  = 14 * 24 * time.Hour
	lastsFor = 60 * 24 * time.Hour
	freshFor = time.Hour
)

// Browser is where a sign-in comes from, filled in by the door.
type Browser struct {
	Source string `json:"source,omitempty" validate:"max=100" jsonschema:"the address the request came from"`
	Agent  string `json:"agent,omitempty" validate:"max=300" jsonschema:"what the browser calls itself"`
}

// From makes text that arrived with a request fit to be a Browser.
func From(source, agent string) Browser {
	return Browser{Source: printable(source, 100), Agent: printable(agent, 300)}
}

// SignedIn is a browser session that began.
type SignedIn struct {
	Session string `json:"session"` // what the cookie holds, signed
	Person  string `json:"person"`
	Login   string `json:"login"`
	Name    string `json:"name"`
}

const insertSession = `
	INSERT INTO browser_sessions (id, person, created_at, seen_at, confirmed_at, agent, source)
	VALUES ($1, $2, $3, $3, $3, $4, $5)`

// start opens a session for a person whose password was just typed. From here
// on the call is theirs, so that log and record name them.
func (p person) start(ctx context.Context, c *tool.Call, from Browser) (SignedIn, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return SignedIn{}, fmt.Errorf("make a session id: %w", err)
	}
	if _, err := c.Tx.ExecContext(ctx, insertSession, id.String(), p.ID, c.Now, from.Agent, from.Source); err != nil {
		return SignedIn{}, fmt.Errorf("insert session of %s: %w", p.Login, err)
	}
	grants, err := access.Stored(p.Grants)
	if err != nil {
		return SignedIn{}, fmt.Errorf("grants of %s: %w", p.Login, err)
	}
	c.By = access.Principal{
		Kind: access.Person, ID: p.ID, Credential: sessionObject(id.String()), Grants: grants, Fresh: true,
		Name: recorded(p.Login, p.Name, p.Handle, p.Withheld), Seat: p.Seat, Handle: p.Handle,
	}
	told := map[string]changes.Delta{}
	if !p.Withheld { // the log shows a withheld login no more than a page does
		told["login"] = changes.Delta{To: p.Login}
	}
	c.Changed("session.started", sessionObject(id.String()), told)
	return SignedIn{Session: id.String(), Person: p.ID, Login: p.Login, Name: p.Name}, nil
}

func sessionObject(id string) string { return "session:" + id }

// Signed is somebody signed in with a browser.
type Signed struct {
	Principal access.Principal
	Session   string // its id
	Name      string // as people call them
	Login     string
	Confirmed time.Time // when the password was last typed, UTC
}

const sessionPerson = `
	SELECT s.person, p.login, p.name, p.withheld, p.grants, s.seen_at, s.confirmed_at, s.created_at,
		coalesce(seat.id::text, '') AS seat, coalesce(seat.handle, '') AS handle, (SELECT position FROM log_head) AS position
	FROM browser_sessions s JOIN people p ON p.id = s.person LEFT JOIN seats seat ON seat.id = p.seat AND seat.declared
	WHERE s.id = $1 AND s.ended_at IS NULL AND p.stage = 'active'`

// sessionRow is a session that has not ended, with whose it is.
type sessionRow struct {
	Person    string         `db:"person"`
	Login     string         `db:"login"`
	Name      string         `db:"name"`
	Grants    pq.StringArray `db:"grants"`
	Seen      time.Time      `db:"seen_at"`
	Confirmed time.Time      `db:"confirmed_at"`
	Created   time.Time      `db:"created_at"`
	Withheld  bool           `db:"withheld"`
	Seat      string         `db:"seat"`
	Handle    string         `db:"handle"`
	Position  int64          `db:"position"` // of the log, when this was read
}

// reader is a database, or a transaction on it.
type reader interface {
	GetContext(ctx context.Context, dst any, query string, args ...any) error
}

// Session reads who a browser session is, in one query. A session that ended,
// lapsed or whose person is suspended is nobody (unauthenticated); a database
// that cannot be asked is unavailable, never nobody.
func (i *Identity) Session(ctx context.Context, id string) (Signed, error) {
	return i.sessionFrom(ctx, i.db, id)
}

func (i *Identity) sessionFrom(ctx context.Context, from reader, id string) (Signed, error) {
	if uuid.Validate(id) != nil {
		return Signed{}, signedOut()
	}
	now := i.now().UTC()
	var row sessionRow
	err := from.GetContext(ctx, &row, sessionPerson, id)
	if errors.Is(err, sql.ErrNoRows) {
		return Signed{}, signedOut()
	}
	if err != nil {
		return Signed{}, unchecked(fmt.Errorf("read a browser session: %w", err))
	}
	s, err := i.signed(id, row, now)
	if err != nil {
		return Signed{}, err
	}
	i.saw(seen{statement: sessionSeen, id: id}, row.Seen, now)
	i.known.keep(id, row, now)
	return s, nil
}

// signed is who a session is at a time, unless it has lapsed by then.
func (i *Identity) signed(id string, row sessionRow, now time.Time) (Signed, error) {
	if !row.Seen.After(now.Add(-idleFor)) || !row.Created.After(now.Add(-lastsFor)) {
		return Signed{}, signedOut()
	}
	grants, err := access.Stored(row.Grants)
	if err != nil {
		return Signed{}, fmt.Errorf("grants of %s: %w", row.Login, err)
	}
	return Signed{
		Principal: access.Principal{
			Kind: access.Person, ID: row.Person, Credential: sessionObject(id),
			Name:   recorded(row.Login, row.Name, row.Handle, row.Withheld),
			Grants: grants & i.max, Fresh: now.Sub(row.Confirmed) < freshFor, Seat: row.Seat, Handle: row.Handle,
		},
		Session: id, Name: row.Name, Login: row.Login, Confirmed: row.Confirmed.UTC(),
	}, nil
}

func signedOut() error {
	return refusal.Unauthenticated.Say("This sign-in has ended. Sign in again.")
}

// unchecked is the answer when a credential could not be looked at.
func unchecked(err error) error {
	if db.Unavailable(err) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return refusal.Unavailable.Say("Who you are could not be checked just now: the database does not answer. Try again in a moment.").After(2 * time.Second).For(err)
	}
	return err
}

// sessionOf is the session a call came with; calls of tokens have none.
func sessionOf(by access.Principal) (string, error) {
	const prefix = "session:"
	if by.Kind == access.Person && len(by.Credential) > len(prefix) && by.Credential[:len(prefix)] == prefix {
		return by.Credential[len(prefix):], nil
	}
	return "", refusal.Forbidden.Say("Only a browser sign-in has this; you came with a token.").With("reason", "not_self")
}
