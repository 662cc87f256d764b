package identity

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/lib/pq"

	"crewlet/config"
	"crewlet/engine/access"
	"crewlet/engine/refusal"
)

// Every token begins with one of these, so that people and scanners know one
// when they see it: a program's, and a person's own.
const (
	tokenPrefix = "crw_tok_"
	ownPrefix   = "crw_pat_"
)

// Token is what may be known of a token: everything but its value. Times are
// UTC.
type Token struct {
	ID        string         `db:"id" json:"id"`
	Label     string         `db:"label" json:"label"`
	Grants    pq.StringArray `db:"grants" json:"grants"`
	Sensitive bool           `db:"sensitive" json:"sensitive"`
	CreatedBy string         `db:"created_by" json:"created_by"`
	CreatedAt time.Time      `db:"created_at" json:"created_at"`
	ExpiresAt *time.Time     `db:"expires_at" json:"expires_at,omitempty"`
	LastUsed  *time.Time     `db:"last_used_at" json:"last_used_at,omitempty"`
	RevokedAt *time.Time     `db:"revoked_at" json:"revoked_at,omitempty"`
	// Person is whose own token it is; empty for a program's.
	Person string `db:"person" json:"person,omitempty"`
}

// tokenColumns are what a Token is read from.
const tokenColumns = `id, label, grants, sensitive, created_by, created_at, expires_at, last_used_at, revoked_at, coalesce(person::text, '') AS person`

func tokenObject(id string) string { return "token:" + id }

func ownTokenObject(id string) string { return "pat:" + id }

// object is the credential the token is, as log and record name it.
func (t Token) object() string {
	if t.Person != "" {
		return ownTokenObject(t.ID)
	}
	return tokenObject(t.ID)
}

// nodeToken is a token of the node's own file.
type nodeToken struct {
	id     string
	digest [sha256.Size]byte
	grants access.Grants
}

func nodeTokens(entries []config.Token) []nodeToken {
	var list []nodeToken
	for _, e := range entries {
		list = append(list, nodeToken{id: e.ID, digest: e.SHA256, grants: access.Granted(e.Grants)})
	}
	return list
}

const tokenByDigest = `
	SELECT t.id, t.label, t.grants, t.sensitive, t.last_used_at, coalesce(t.person::text, '') AS person,
		coalesce(p.login, '') AS login, coalesce(p.name, '') AS name, coalesce(p.withheld, false) AS withheld, p.grants AS owners, coalesce(seat.id::text, '') AS seat, coalesce(seat.handle, '') AS handle
	FROM tokens t LEFT JOIN people p ON p.id = t.person LEFT JOIN seats seat ON seat.id = p.seat AND seat.declared
	WHERE t.digest = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2)
		AND (t.person IS NULL OR p.stage = 'active')`

// bearer is a token with whose it is.
type bearer struct {
	Token
	Login  string         `db:"login"`
	Name   string         `db:"name"`
	Hidden bool           `db:"withheld"`
	Owners pq.StringArray `db:"owners"`
	Seat   string         `db:"seat"`
	Handle string         `db:"handle"`
}

// Token reads who a bearer token is, in one query. One that nobody made, was
// revoked or has expired is nobody (unauthenticated), and so is a person's own
// while they are suspended; a database that cannot be asked is unavailable,
// never nobody. The node's own tokens need no database.
func (i *Identity) Token(ctx context.Context, value string) (access.Principal, error) {
	sum := sha256.Sum256([]byte(value))
	for _, t := range i.node {
		if t.digest == sum {
			return access.Principal{
				Kind: access.Machine, ID: t.id, Credential: "node:" + t.id, Name: t.id, Grants: t.grants & i.max, Fresh: true,
			}, nil
		}
	}
	if !shapedToken(value) {
		return access.Principal{}, badToken()
	}
	now := i.now().UTC()
	var row bearer
	err := i.db.GetContext(ctx, &row, tokenByDigest, sum[:], now)
	if errors.Is(err, sql.ErrNoRows) {
		return access.Principal{}, badToken()
	}
	if err != nil {
		return access.Principal{}, unchecked(fmt.Errorf("read a token: %w", err))
	}
	by, err := row.principal()
	if err != nil {
		return access.Principal{}, fmt.Errorf("grants of token %s: %w", row.ID, err)
	}
	var last time.Time
	if row.LastUsed != nil {
		last = *row.LastUsed
	}
	i.saw(seen{statement: tokenUsed, id: row.ID}, last, now)
	by.Grants &= i.max
	return by, nil
}

func shapedToken(value string) bool {
	for _, prefix := range []string{tokenPrefix, ownPrefix} {
		if secret, ours := strings.CutPrefix(value, prefix); ours && secretShape.MatchString(secret) {
			return true
		}
	}
	return false
}

// principal is who the token is: a program, or its owner with no more rights
// than both it was minted with and the owner has now.
func (b bearer) principal() (access.Principal, error) {
	grants, err := access.Stored(b.Grants)
	if err != nil {
		return access.Principal{}, err
	}
	by := access.Principal{
		Kind: access.Machine, ID: b.ID, Credential: b.object(), Name: machineName(b.Label), Grants: grants, Fresh: b.Sensitive,
	}
	if b.Person == "" {
		return by, nil
	}
	owners, err := access.Stored(b.Owners)
	if err != nil {
		return access.Principal{}, err
	}
	by.Kind, by.ID, by.Seat, by.Handle = access.Person, b.Person, b.Seat, b.Handle
	by.Name = recorded(b.Login, b.Name, b.Handle, b.Hidden)
	by.Grants &= owners
	return by, nil
}

// TokenFrom is Token for a request from an address: one that sent many wrong
// tokens within the minute has to wait.
func (i *Identity) TokenFrom(ctx context.Context, source, value string) (access.Principal, error) {
	sum, now := sha256.Sum256([]byte(value)), i.now().UTC()
	if err := i.strangers.wait(source, sum, now); err != nil {
		return access.Principal{}, err
	}
	by, err := i.Token(ctx, value)
	if err == nil {
		i.strangers.right(sum, now)
	}
	if refusal.Is(err, refusal.Unauthenticated) {
		i.strangers.wrong(source, now)
	}
	return by, err
}

// machineName is what the record calls a token: always with a colon, so that
// no label can pass for a person's login or a seat's handle.
func machineName(label string) string {
	if strings.Contains(label, ":") {
		return label
	}
	return "token:" + label
}

func badToken() error {
	return refusal.Unauthenticated.Say("This token is not one of ours, was revoked or has expired. Mint a new one under Settings › Tokens.")
}
