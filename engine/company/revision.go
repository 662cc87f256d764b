package company

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"crewlet/db"
	"crewlet/engine/refusal"
)

// Revision is one state of the company document. It never changes.
type Revision struct {
	ID         int64      `db:"id" json:"id"`         // 1, 2, 3 …; 0 before there is any
	Parent     int64      `db:"parent" json:"parent"` // 0 for the first
	Summary    string     `db:"summary" json:"summary"`
	Author     string     `db:"author" json:"author"` // the principal: person:<id>
	AuthorName string     `db:"author_name" json:"author_name"`
	At         time.Time  `db:"at" json:"at"` // UTC
	Text       string     `db:"text" json:"text,omitempty"`
	IDs        Identities `db:"ids" json:"-"`
}

const revisionHeadings = `id, coalesce(parent, 0) AS parent, summary, author, author_name, at`

const revisionByID = `SELECT ` + revisionHeadings + `, text, ids FROM revisions WHERE id = $1`

// reader is a pool or a transaction.
type reader interface {
	GetContext(ctx context.Context, dst any, query string, args ...any) error
}

// revision reads one revision whole.
func revision(ctx context.Context, from reader, id int64) (Revision, error) {
	var rev Revision
	err := from.GetContext(ctx, &rev, revisionByID, id)
	if errors.Is(err, sql.ErrNoRows) {
		return rev, refusal.NotFound.Say("There is no revision %d.", id)
	}
	if err != nil {
		return rev, fmt.Errorf("read revision %d: %w", id, err)
	}
	return rev, nil
}

const newestRevision = `
	SELECT r.id, coalesce(r.parent, 0) AS parent, r.summary, r.author, r.author_name, r.at, r.text, r.ids
	FROM company_head AS h JOIN revisions AS r ON r.id = h.revision`

// newest reads the newest revision; its ID is 0 when there is none yet.
func newest(ctx context.Context, from reader) (Revision, error) {
	var rev Revision
	err := from.GetContext(ctx, &rev, newestRevision)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return rev, fmt.Errorf("read the newest revision: %w", err)
	}
	return rev, nil
}

const (
	newestID = `SELECT revision FROM company_head WHERE one`
	lockHead = newestID + ` FOR NO KEY UPDATE`
)

// lockNewest is newest for a writer: until the transaction ends nobody else
// writes one. The lock comes first and alone: a join would be read as it was
// before the wait.
func lockNewest(ctx context.Context, tx *db.Tx) (Revision, error) {
	var id int64
	if err := tx.GetContext(ctx, &id, lockHead); err != nil {
		return Revision{}, fmt.Errorf("take the turn to write a revision: %w", err)
	}
	if id == 0 {
		return Revision{}, nil
	}
	return revision(ctx, tx, id)
}
