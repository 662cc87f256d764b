package identity

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/lib/pq"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// invitationFor is how long an invitation is good.
const invitationFor = 7 * 24 * time.Hour

// Invitation is a link that makes one person, once; its end is no part of it.
// Times are UTC.
type Invitation struct {
	ID        string         `db:"id" json:"id"`
	Name      string         `db:"name" json:"name"` // whom it is for
	Email     string         `db:"email" json:"email,omitempty"`
	Grants    pq.StringArray `db:"grants" json:"grants"`
	Seat      string         `db:"handle" json:"seat,omitempty"` // the handle of the seat that comes with it
	Author    string         `db:"author_name" json:"invited_by"`
	CreatedAt time.Time      `db:"created_at" json:"created_at"`
	ExpiresAt time.Time      `db:"expires_at" json:"expires_at"`
}

func invitationObject(id string) string { return "invitation:" + id }

// The author is read by name: whoever opens the link may know neither the seats
// nor the logins of the company.
const openInvitation = `
	SELECT i.id, i.name, i.email, i.grants, coalesce(seat.handle, '') AS handle, coalesce(author.name, i.author_name) AS author_name,
		i.created_at, i.expires_at
	FROM invitations i LEFT JOIN seats seat ON seat.id = i.seat AND seat.declared
		LEFT JOIN people author ON 'person:' || author.id = i.author
	WHERE i.digest = $1 AND i.used_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > $2`

// Invited reads an invitation by the end of its link, without spending it. It
// refuses with not_found one that is used, expired, taken back or was never
// made.
func (i *Identity) Invited(ctx context.Context, token string) (Invitation, error) {
	if !secretShape.MatchString(token) {
		return Invitation{}, invitationGone()
	}
	var inv Invitation
	err := i.db.GetContext(ctx, &inv, openInvitation, digest(token), i.now().UTC())
	if errors.Is(err, sql.ErrNoRows) {
		return Invitation{}, invitationGone()
	}
	if err != nil {
		return Invitation{}, unchecked(fmt.Errorf("read an invitation: %w", err))
	}
	return inv, nil
}

func invitationGone() error {
	return refusal.NotFound.Say("This invitation is not good any more: it works once, within seven days, and whoever made it may take it back. Ask them for a new one.")
}

const withdrawInvitations = `UPDATE invitations SET revoked_at = $2 WHERE author = $1 AND used_at IS NULL AND revoked_at IS NULL`

// withdraw takes back what a person still has open: they could not make it now.
func withdraw(ctx context.Context, c *tool.Call, id string) error {
	author := access.Principal{Kind: access.Person, ID: id}.Key()
	if _, err := c.Tx.ExecContext(ctx, withdrawInvitations, author, c.Now); err != nil {
		return fmt.Errorf("take back the invitations of %s: %w", id, err)
	}
	return nil
}
