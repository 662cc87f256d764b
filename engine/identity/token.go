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

// tokenPrefix begins every machine token, so that people and scanners know one
// when they see it.
const tokenPrefix = "crw_tok_"

// Token is what may be known of a machine token: everything but its value.
// Times are UTC.
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
}

func tokenObject(id string) string { return "token:" + id }

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
	SELECT id, label, grants, sensitive, last_used_at FROM tokens
	WHERE digest = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`

// Token reads who a bearer token is. One that nobody made, was revoked or has
// expired is nobody (unauthenticated); a database that cannot be asked is
// unavailable, never nobody. The node's own tokens need no database.
func (i *Identity) Token(ctx context.Context, value string) (access.Principal, error) {
	sum := sha256.Sum256([]byte(value))
	for _, t := range i.node {
		if t.digest == sum {
			return access.Principal{
				Kind: access.Machine, ID: t.id, Credential: "node:" + t.id, Name: t.id, Grants: t.grants & i.max, Fresh: true,
			}, nil
		}
	}
	secret, ours := strings.CutPrefix(value, tokenPrefix)
	if !ours || !secretShape.MatchString(secret) {
		return access.Principal{}, badToken()
	}
	now := i.now().UTC()
	var row Token
	err := i.db.GetContext(ctx, &row, tokenByDigest, sum[:], now)
	if errors.Is(err, sql.ErrNoRows) {
		return access.Principal{}, badToken()
	}
	if err != nil {
		return access.Principal{}, unchecked(fmt.Errorf("read a token: %w", err))
	}
	grants, err := access.Stored(row.Grants)
	if err != nil {
		return access.Principal{}, fmt.Errorf("grants of token %s: %w", row.ID, err)
	}
	var last time.Time
	if row.LastUsed != nil {
		last = *row.LastUsed
	}
	i.saw(seen{statement: tokenUsed, id: row.ID}, last, now)
	return access.Principal{
		Kind: access.Machine, ID: row.ID, Credential: tokenObject(row.ID), Name: machineName(row.Label),
		Grants: grants & i.max, Fresh: row.Sensitive,
	}, nil
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
