package identity

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// MakeSetupLink asks for the link that makes the first administrator.
type MakeSetupLink struct{}

// SetupLink is what the address /setup/{token} needs; the token is shown once.
type SetupLink struct {
	Token   string    `json:"token,omitempty"`
	Expires time.Time `json:"expires_at"` // UTC
}

// WithoutValue is the answer as it is kept.
func (l SetupLink) WithoutValue() SetupLink {
	l.Token = ""
	return l
}

func declareMakeSetupLink(i *Identity) tool.Use[MakeSetupLink, SetupLink] {
	return tool.Declare(tool.Spec{
		Name:   "make_setup_link",
		Title:  "Make the set-up link",
		Brief:  "Make the one-time link that creates the first administrator. A newer link replaces an older one; refused once there is anybody.",
		Access: access.EngineOnly(),
		Once:   true,
	}, i.makeSetupLink)
}

// The row of a used link is left alone, also when it was used a moment ago.
const putSetupLink = `
	INSERT INTO setup_links (digest, created_at, expires_at)
	SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT FROM people)
	ON CONFLICT (one) DO UPDATE SET digest = excluded.digest, created_at = excluded.created_at, expires_at = excluded.expires_at
		WHERE setup_links.used_at IS NULL
	RETURNING expires_at`

func (i *Identity) makeSetupLink(ctx context.Context, c *tool.Call, _ MakeSetupLink) (SetupLink, error) {
	link := SetupLink{Token: newSecret()}
	err := c.Tx.GetContext(ctx, &link.Expires, putSetupLink, digest(link.Token), c.Now, c.Now.Add(setupFor))
	if errors.Is(err, sql.ErrNoRows) {
		return SetupLink{}, setupClosed()
	}
	if err != nil {
		return SetupLink{}, fmt.Errorf("store the set-up link: %w", err)
	}
	c.Changed("setup.opened", "setup:", nil)
	return link, nil
}
