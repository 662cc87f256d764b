package tracker

import (
	"context"
	"fmt"
	"slices"

	"crewlet/engine/changes"
	"crewlet/engine/tool"
)

// followed changes who follows the item in a role.
func (e *edit) followed(ctx context.Context, role string, set *Sets) error {
	if set == nil {
		return nil
	}
	add, remove := set.Add, set.Remove
	if set.Set != nil {
		var now []string
		if err := e.c.Tx.SelectContext(ctx, &now, inRole, e.was.ID, role); err != nil {
			return fmt.Errorf("read who follows %s: %w", e.was.Key(), err)
		}
		wanted, err := partiesNamed(e.c, e.dir, *set.Set, role+"s")
		if err != nil {
			return err
		}
		add, remove = *set.Set, nil
		for _, party := range now {
			if !slices.Contains(wanted, party) {
				remove = append(remove, party)
			}
		}
	}
	j, err := e.t.follow(ctx, e.c, e.dir, e.was, role, role+"s", add, remove)
	if err != nil {
		return err
	}
	e.joined = append(e.joined, j.In...)
	e.swapped(role+"s", calledAll(e.dir, j.Out), calledAll(e.dir, j.In))
	return nil
}

// links changes what the item waits on, blocks, relates to and duplicates.
func (e *edit) links(ctx context.Context) error {
	for _, change := range []struct {
		linksOf
		set *Sets
	}{
		{linksOf{kind: "waiting_on", argument: "waiting_on"}, e.in.WaitingOn},
		{linksOf{kind: "waiting_on", argument: "blocking", back: true}, e.in.Blocking},
		{linksOf{kind: "linked", argument: "linked"}, e.in.Linked},
		{linksOf{kind: "duplicates", argument: "duplicates"}, e.in.Duplicates},
	} {
		if change.set == nil {
			continue
		}
		change.add, change.remove = change.set.Add, change.set.Remove
		if change.set.Set != nil {
			now, err := e.t.linkedNow(ctx, e.c, e.was, change.linksOf)
			if err != nil {
				return err
			}
			whole := change.set.on(now)
			change.add = whole
			change.remove = slices.DeleteFunc(now, func(key string) bool { return slices.Contains(whole, key) })
		}
		done, err := e.t.link(ctx, e.c, &e.now, change.linksOf)
		if err != nil {
			return err
		}
		e.swapped(change.argument, done.Out, done.In)
	}
	return nil
}

const (
	linkedKeys = `
		SELECT o.project || '-' || o.no FROM item_links l JOIN items o ON o.id = l.other
		WHERE l.item = $1 AND l.kind = $2 ORDER BY o.project, o.no`
	linkedBack = `
		SELECT o.project || '-' || o.no FROM item_links l JOIN items o ON o.id = l.item
		WHERE l.other = $1 AND l.kind = $2 ORDER BY o.project, o.no`
)

func (t *Tracker) linkedNow(ctx context.Context, c *tool.Call, it item, of linksOf) ([]string, error) {
	query := linkedKeys
	if of.back {
		query = linkedBack
	}
	var keys []string
	if err := c.Tx.SelectContext(ctx, &keys, query, it.ID, of.kind); err != nil {
		return nil, fmt.Errorf("read the links of %s: %w", it.Key(), err)
	}
	return keys, nil
}

const (
	saveItem = `
		UPDATE items SET type = $2, title = $3, folded = $4, status = $5, priority = $6, assignee = $7, routing_unit = $8,
			labels = $9, urls = $10, parent = $11, depth = $12, start_on = $13, start_at = $14, due_on = $15, due_at = $16,
			estimate_minutes = $17, points = $18, handed = $19, version = version + 1, updated_at = $20,
			closed_at = CASE WHEN NOT $21::boolean THEN NULL ELSE coalesce(closed_at, $20) END
		WHERE id = $1
		RETURNING version, blockers, closed_at`
	saveDescription = `UPDATE items SET description = $2, edition = $3 WHERE id = $1`
	standingText    = `SELECT description FROM items WHERE id = $1`
	sink            = `
		WITH RECURSIVE down AS (
			SELECT id, depth FROM items WHERE id = $1
			UNION ALL SELECT c.id, (down.depth + 1)::smallint FROM down JOIN items c ON c.parent = down.id
		) UPDATE items i SET depth = down.depth FROM down WHERE i.id = down.id AND i.id <> $1`
)

// store writes the item, its description and all that is counted elsewhere.
func (e *edit) store(ctx context.Context) error {
	n := &e.now
	err := e.c.Tx.GetContext(ctx, n, saveItem, n.ID, n.Type, n.Title, folded(n.Title), n.Status, n.Priority, n.Assignee, n.RoutingUnit,
		n.Labels, n.URLs, n.Parent, n.Depth, n.StartOn, n.StartAt, n.DueOn, n.DueAt, n.Estimate, n.Points, n.Handed, e.c.Now, over(n.Status))
	if err != nil {
		return fmt.Errorf("save %s: %w", n.Key(), err)
	}
	n.UpdatedAt = e.c.Now
	if e.save {
		n.Edition = n.Version
		if _, err := e.c.Tx.ExecContext(ctx, saveDescription, n.ID, e.text, n.Edition); err != nil {
			return fmt.Errorf("save the description of %s: %w", n.Key(), err)
		}
		if _, err := e.c.Tx.ExecContext(ctx, newEdition, n.ID, n.Edition, e.text, e.c.By.Key(), e.c.By.Name, e.c.Now); err != nil {
			return fmt.Errorf("keep the description of %s: %w", n.Key(), err)
		}
	}
	return e.count(ctx)
}

// differ finds out whether the description is another one. Long text stands
// in the log as its size.
func (e *edit) differ(ctx context.Context) error {
	if !e.save {
		return nil
	}
	if err := e.c.Tx.GetContext(ctx, &e.before, standingText, e.was.ID); err != nil {
		return fmt.Errorf("read the description of %s: %w", e.was.Key(), err)
	}
	if e.save = e.before != e.text; e.save {
		e.deltas["description"] = changes.Delta{From: size(e.before), To: size(e.text)}
	}
	return nil
}

func size(text string) string { return fmt.Sprintf("%d bytes", len(text)) }

const recountWaiting = `
	UPDATE items w SET blockers = w.blockers + $2
	FROM item_links l WHERE l.other = $1 AND l.kind = 'waiting_on' AND l.item = w.id`

// count keeps what a change of status or place means elsewhere: the project,
// the parent, and who waits.
func (e *edit) count(ctx context.Context) error {
	was, now := e.was, e.now
	if err := moved(ctx, e.c, now.Project, groupOf(was.Status), groupOf(now.Status)); err != nil {
		return err
	}
	if was.Parent != now.Parent {
		if _, err := e.c.Tx.ExecContext(ctx, sink, now.ID); err != nil {
			return fmt.Errorf("move the parts of %s: %w", now.Key(), err)
		}
		if err := e.t.countChild(ctx, e.c, was, was.Status, ""); err != nil {
			return err
		}
		if err := e.t.countChild(ctx, e.c, now, "", now.Status); err != nil {
			return err
		}
	} else if err := e.t.countChild(ctx, e.c, now, was.Status, now.Status); err != nil {
		return err
	}
	if over(was.Status) == over(now.Status) {
		return nil
	}
	by := 1
	if over(now.Status) {
		by = -1
	}
	if _, err := e.c.Tx.ExecContext(ctx, recountWaiting, now.ID, by); err != nil {
		return fmt.Errorf("count who waits on %s: %w", now.Key(), err)
	}
	return nil
}

// follows is the change told: in the log, and to whom it concerns.
func (e *edit) follows(ctx context.Context) error {
	e.c.Changed("item.updated", e.now.object(), e.deltas)
	if err := watch(ctx, e.c, e.now, e.mentioned()); err != nil {
		return err
	}
	reached, err := e.reached(ctx)
	if err != nil {
		return err
	}
	if err := e.t.tell(ctx, e.c, e.now, notice{Kind: "item.updated", Summary: e.summary()}, reached); err != nil {
		return err
	}
	if !over(e.was.Status) && over(e.now.Status) {
		return e.t.unblocked(ctx, e.c, e.now)
	}
	return nil
}
