package identity

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"time"

	"crewlet/engine/refusal"
)

// setupFor is how long a set-up link is good.
const setupFor = 24 * time.Hour

// secretChars is the length of 32 random bytes in unpadded base64url.
const secretChars = 43

var secretShape = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// newSecret makes 32 random bytes as text.
func newSecret() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails: the program ends instead
	return base64.RawURLEncoding.EncodeToString(b)
}

func digest(value string) []byte {
	sum := sha256.Sum256([]byte(value))
	return sum[:]
}

const setupState = `
	SELECT EXISTS (SELECT FROM people) AS closed,
		EXISTS (SELECT FROM setup_links WHERE digest = $1 AND used_at IS NULL AND expires_at > $2) AS good`

// SetupOpen is nil while a set-up link can be redeemed. It refuses with
// conflict when somebody was set up already, and with not_found when the link
// is expired, replaced or was never made.
func (i *Identity) SetupOpen(ctx context.Context, token string) error {
	var state struct {
		Closed bool `db:"closed"`
		Good   bool `db:"good"`
	}
	if err := i.db.GetContext(ctx, &state, setupState, digest(token), i.now().UTC()); err != nil {
		return unchecked(fmt.Errorf("read the set-up link: %w", err))
	}
	switch {
	case state.Closed:
		return setupClosed()
	case !state.Good || !secretShape.MatchString(token):
		return setupGone()
	}
	return nil
}

const anybody = `SELECT id FROM people LIMIT 1`

// Vacant reports whether there is nobody yet, so that nobody can sign in.
func (i *Identity) Vacant(ctx context.Context) (bool, error) {
	var id string
	err := i.db.GetContext(ctx, &id, anybody)
	if errors.Is(err, sql.ErrNoRows) {
		return true, nil
	}
	if err != nil {
		return false, unchecked(fmt.Errorf("look for people: %w", err))
	}
	return false, nil
}

func setupClosed() error {
	return refusal.Conflict.Say("Set-up is closed: there is an administrator already. Sign in instead.")
}

func setupGone() error {
	return refusal.NotFound.Say("This set-up link is not good any more: a link lasts 24 hours, and a newer one replaces it. Run crewlet setup-link on the node to make a new one.")
}
