package servers

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"crewlet/db"
	"crewlet/mcp/client"
)

// ErrTaken says that another program serves as this node.
var ErrTaken = errors.New("another program serves as this node")

// Claiming is what a start of a node makes the node's row its own with.
type Claiming struct {
	DB    *db.DB
	Clock client.Clock
	Log   *slog.Logger
	Node  Self
	// Sole says that no other machine reaches this database: an earlier start
	// is over then, whatever its row says.
	Sole bool
}

const (
	// standstill is how long a row must not have moved before a start that
	// cannot be asked is taken for over: a beat, and a third for a slow one.
	standstill = beat + beat/3
	// look is how often the row is looked at meanwhile.
	look = time.Second
)

// holder is the start of the program that wrote a node's row last.
type holder struct {
	Name string    `db:"name"`
	Run  string    `db:"run"`
	Seen time.Time `db:"seen_at"`
	Live bool      `db:"live"`
}

const (
	holderOf = `SELECT name, run, seen_at, seen_at > now() - interval '45 seconds' AS live FROM nodes WHERE id = $1`

	// One statement decides among those that claim at once, and against one
	// that lives after all. The first half is for a commit that is sent twice.
	claim = `
		INSERT INTO nodes (id, name, url, version, run, started_at, seen_at)
		VALUES ($1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp())
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, url = excluded.url, version = excluded.version, run = excluded.run,
			started_at = excluded.started_at, seen_at = excluded.seen_at
		WHERE nodes.run = excluded.run OR nodes.run = $6 AND nodes.seen_at = $7`
)

// Claim makes the node's row this start's, before it ends anything that an
// earlier start may have left. Whoever claims holds its place already: an
// earlier start in the same place is over. One in another place is waited for,
// and is over when its row stands still; when it moves, the answer is ErrTaken.
func Claim(ctx context.Context, o Claiming) error {
	held, err := o.holder(ctx)
	if err != nil {
		return err
	}
	if o.mayLive(held) {
		o.Log.InfoContext(ctx, "node_claim_waits", "node", o.Node.ID, "holder", held.Name, "seconds", standstill.Seconds())
	}
	for since := o.Clock.Now(); o.mayLive(held) && o.Clock.Now().Sub(since) < standstill; {
		if err := o.pause(ctx); err != nil {
			return err
		}
		now, err := o.holder(ctx)
		if err != nil {
			return err
		}
		if now.Live && (now.Run != held.Run || !now.Seen.Equal(held.Seen)) {
			return fmt.Errorf("%w, on %s", ErrTaken, now.Name)
		}
		held = now
	}
	return o.take(ctx, held)
}

// mayLive reports whether the start that wrote the row may still run.
func (o Claiming) mayLive(held holder) bool {
	place := placeOf(held.Run)
	return held.Live && !o.Sole && (place == "" || place != placeOf(o.Node.Run))
}

// placeOf is where a start runs, and one alone can; "" when that is not known.
func placeOf(run string) string {
	return run[:max(strings.LastIndexByte(run, '/'), 0)]
}

// holder reads who wrote the node's row; the zero holder when there is none.
func (o Claiming) holder(ctx context.Context) (holder, error) {
	var h holder
	err := o.DB.GetContext(ctx, &h, holderOf, o.Node.ID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return h, fmt.Errorf("read who serves as this node: %w", err)
	}
	return h, nil
}

func (o Claiming) pause(ctx context.Context) error {
	due := make(chan struct{}, 1)
	disarm := o.Clock.AfterFunc(look, func() { due <- struct{}{} })
	defer disarm()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-due:
		return nil
	}
}

// take writes the row unless somebody moved it since it was read.
func (o Claiming) take(ctx context.Context, held holder) error {
	n := o.Node
	return o.DB.InTx(ctx, func(tx *db.Tx) error {
		done, err := tx.ExecContext(ctx, claim, n.ID, n.Name, n.URL, n.Version, n.Run, held.Run, held.Seen)
		if err != nil {
			return fmt.Errorf("claim this node: %w", err)
		}
		rows, err := done.RowsAffected()
		if err == nil && rows == 0 {
			err = ErrTaken
		}
		return err
	})
}

// Leave takes the node's row away, with the states of what it ran, unless
// another start has made it its own.
func Leave(ctx context.Context, d *db.DB, n Self) error {
	return d.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.ExecContext(ctx, departed, n.ID, n.Run); err != nil {
			return fmt.Errorf("leave the company's nodes: %w", err)
		}
		return nil
	})
}
