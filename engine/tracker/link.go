package tracker

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lib/pq"

	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// linksOf is one argument's change of an item's links.
type linksOf struct {
	kind, argument string
	back           bool // the other item is the one that waits: "blocking"
	add, remove    []string
}

const (
	linked   = `INSERT INTO item_links (item, kind, other) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING other`
	unlinked = `DELETE FROM item_links WHERE item = $1 AND kind = $2 AND other = $3 RETURNING other`

	// waits is everything an item waits on, through others too.
	waits = `
		WITH RECURSIVE up AS (
			SELECT other AS id FROM item_links WHERE item = $1 AND kind = 'waiting_on'
			UNION SELECT l.other FROM up JOIN item_links l ON l.item = up.id AND l.kind = 'waiting_on'
		) SELECT id FROM up`

	countLinks = `
		SELECT max(n) FROM (
			SELECT count(*) AS n FROM item_links WHERE item = $1 AND kind = $2
			UNION ALL SELECT count(*) FROM item_links WHERE other = $1 AND kind = $2
		) AS both_ways`

	recountBlockers = `
		UPDATE items i SET blockers = (
			SELECT count(*) FROM item_links l JOIN items o ON o.id = l.other
			WHERE l.item = i.id AND l.kind = 'waiting_on' AND o.open)
		WHERE i.id = ANY ($1)`

	lockProjects = `SELECT key FROM projects WHERE key = ANY ($1) ORDER BY key FOR NO KEY UPDATE`
)

// relinked is which keys an argument added and took away.
type relinked struct{ In, Out []string }

// link changes an item's links of one kind. Graphs hold no circle: the caller
// has locked the projects on both ends, see lockProjectsOf.
func (t *Tracker) link(ctx context.Context, c *tool.Call, it *item, change linksOf) (relinked, error) {
	var done relinked
	others, err := t.linkEnds(ctx, c, *it, change)
	if err != nil || len(others) == 0 {
		return done, err
	}
	var touched []string
	for i, other := range others {
		from, to := it.ID, other.ID
		if change.back {
			from, to = to, from
		}
		touched = append(touched, from)
		adding := i < len(change.add)
		if adding && change.kind == "waiting_on" {
			if err := t.refuseCircle(ctx, c, *it, other, from, to, change.argument); err != nil {
				return done, err
			}
		}
		query, into := unlinked, &done.Out
		if adding {
			query, into = linked, &done.In
		}
		var moved []string
		if err := c.Tx.SelectContext(ctx, &moved, query, from, change.kind, to); err != nil {
			return done, fmt.Errorf("link %s and %s: %w", it.Key(), other.Key(), err)
		}
		if len(moved) > 0 {
			*into = append(*into, other.Key())
		}
	}
	return done, t.settleLinks(ctx, c, it, change, touched)
}

// lockProjectsOf holds the projects that keys of items name, in one order for
// everybody.
func lockProjectsOf(ctx context.Context, c *tool.Call, items []string) error {
	var keys, locked []string
	for _, key := range items {
		if project, _, ok := parseKey(key); ok && !slices.Contains(keys, project) {
			keys = append(keys, project)
		}
	}
	if err := c.Tx.SelectContext(ctx, &locked, lockProjects, pq.StringArray(keys)); err != nil {
		return fmt.Errorf("lock the projects %s: %w", strings.Join(keys, ", "), err)
	}
	return nil
}

// linkEnds reads the items an argument names.
func (t *Tracker) linkEnds(ctx context.Context, c *tool.Call, it item, change linksOf) ([]item, error) {
	var others []item
	named := slices.Concat(change.add, change.remove)
	for _, key := range named {
		other, err := t.named(ctx, c.Tx, key, change.argument)
		if err != nil {
			return nil, err
		}
		if other.ID == it.ID {
			return nil, refusal.Invalid.Say("%s cannot be linked with itself.", it.Key()).On(change.argument)
		}
		others = append(others, other)
	}
	return others, nil
}

// refuseCircle keeps an item from waiting, in the end, on itself.
func (t *Tracker) refuseCircle(ctx context.Context, c *tool.Call, it, other item, from, to, argument string) error {
	var chain []string
	if err := c.Tx.SelectContext(ctx, &chain, waits, to); err != nil {
		return fmt.Errorf("read what %s waits on: %w", other.Key(), err)
	}
	if slices.Contains(chain, from) {
		return refusal.Invalid.Say("%s and %s would wait on each other, directly or through others.", it.Key(), other.Key()).On(argument)
	}
	return nil
}

// settleLinks keeps the limit and the counts of open blockers.
func (t *Tracker) settleLinks(ctx context.Context, c *tool.Call, it *item, change linksOf, touched []string) error {
	var most int
	if err := c.Tx.GetContext(ctx, &most, countLinks, it.ID, change.kind); err != nil {
		return fmt.Errorf("count the links of %s: %w", it.Key(), err)
	}
	if most > maxLinks {
		return refusal.Invalid.Say("An item has at most %d links of a kind each way.", maxLinks).On(change.argument)
	}
	if change.kind != "waiting_on" {
		return nil
	}
	if _, err := c.Tx.ExecContext(ctx, recountBlockers, pq.StringArray(touched)); err != nil {
		return fmt.Errorf("count what %s waits on: %w", it.Key(), err)
	}
	return nil
}
