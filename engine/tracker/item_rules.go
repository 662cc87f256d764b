package tracker

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"crewlet/engine/org"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// draft collects all that is wrong with an item, so that a form says it at
// once.
type draft struct {
	no  *refusal.Refusal
	err error // no refusal: something of ours
}

func (d *draft) note(err error) {
	no, ok := errors.AsType[*refusal.Refusal](err)
	switch {
	case err == nil:
	case !ok:
		d.err = errors.Join(d.err, err)
	case d.no == nil:
		d.no = no
	default:
		if d.no.Class == refusal.Invalid {
			d.no.Says = "Some of what you sent cannot be taken."
		}
		for field, says := range no.Fields {
			d.no = d.no.Beside(field, says)
		}
		for name, value := range no.Details {
			d.no = d.no.With(name, value)
		}
	}
}

func (d *draft) refused() error {
	if d.err != nil {
		return d.err
	}
	if d.no != nil {
		return d.no
	}
	return nil
}

func (d *draft) title(it *item) {
	if !org.Visible(it.Title) {
		d.note(refusal.Invalid.Say("An item has a title: one line, as people will read it.").On("title"))
	}
}

func (d *draft) description(text string) {
	d.note(fitting(text, maxDescription, "description", "A description"))
}

// fitting refuses text over its limit, saying by how much.
func fitting(text string, limit int, argument, what string) error {
	if len(text) <= limit {
		return nil
	}
	return refusal.Invalid.Say("%s is at most %d KiB; this one is %d characters, %d bytes too long.", what, limit>>10, utf8.RuneCountInString(text), len(text)-limit).On(argument)
}

func priorityOf(word string) int { return slices.Index(priorities, word) }

// dates reads when an item starts and is due; an empty word clears.
func (t *Tracker) dates(ctx context.Context, c *tool.Call, it *item, start, due string) error {
	zone, err := t.zone(ctx, c)
	if err != nil {
		return err
	}
	var d draft
	read := func(word, argument string) moment {
		if word == "" {
			return moment{}
		}
		m, err := readDate(word, argument, c.Now, zone)
		d.note(err)
		return m
	}
	from, to := read(start, "start"), read(due, "due")
	it.StartOn, it.StartAt = from.columns()
	it.DueOn, it.DueAt = to.columns()
	if late(from, to) {
		d.note(refusal.Invalid.Say("It starts on %s, after it is due on %s.", it.StartOn.String, it.DueOn.String).On("due"))
	}
	return d.refused()
}

// late reports that something starts after it is due.
func late(start, due moment) bool {
	if start.On.IsZero() || due.On.IsZero() {
		return false
	}
	if !start.At.IsZero() && !due.At.IsZero() {
		return start.At.After(due.At)
	}
	return start.On.After(due.On)
}

// checkURLs takes addresses a browser may be led to.
func checkURLs(list []string) error {
	if len(list) > maxURLs {
		return refusal.Invalid.Say("An item has at most %d references.", maxURLs).On("references")
	}
	total := 0
	for _, text := range list {
		if total += len(text); total > maxURLBytes {
			return refusal.Invalid.Say("The references of an item are at most %d KiB together.", maxURLBytes>>10).On("references")
		}
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' }) {
			return refusal.Invalid.Say("%q is no address: a reference begins with http:// or https://.", text).On("references")
		}
	}
	return nil
}

// above lists an item and all it is part of, the outermost last. The project
// is locked by who asks to hang something there, so no circle can close
// between two.
const above = `
	WITH RECURSIVE up AS (
		SELECT id, parent, 1 AS n FROM items WHERE id = $1
		UNION ALL SELECT p.id, p.parent, up.n + 1 FROM up JOIN items p ON p.id = up.parent WHERE up.n < 20
	) SELECT id FROM up ORDER BY n`

// deepest is how many levels hang below an item.
const deepest = `
	WITH RECURSIVE down AS (
		SELECT id, 0 AS n FROM items WHERE id = $1
		UNION ALL SELECT c.id, down.n + 1 FROM down JOIN items c ON c.parent = down.id WHERE down.n < 20
	) SELECT max(n) FROM down`

// hang puts an item below another of its project; an empty key takes it out.
func (t *Tracker) hang(ctx context.Context, c *tool.Call, it *item, key string) error {
	if key == "" {
		it.Parent, it.ParentNo, it.Depth = sql.NullString{}, sql.NullInt64{}, 0
		return nil
	}
	p, err := t.named(ctx, c.Tx, key, "parent")
	if err != nil {
		return err
	}
	if p.Project != it.Project {
		return refusal.Invalid.Say("%s is in %s; an item and its parent are in the same project.", p.Key(), p.Project).On("parent")
	}
	var line []string
	if err := c.Tx.SelectContext(ctx, &line, above, p.ID); err != nil {
		return fmt.Errorf("read what %s is part of: %w", p.Key(), err)
	}
	if slices.Contains(line, it.ID) {
		return refusal.Invalid.Say("%s is itself part of %s, so it cannot hold it.", p.Key(), it.Key()).On("parent")
	}
	below := 0
	if it.No != 0 {
		if err := c.Tx.GetContext(ctx, &below, deepest, it.ID); err != nil {
			return fmt.Errorf("read how deep %s goes: %w", it.Key(), err)
		}
	}
	if len(line)+below > maxDepth {
		return refusal.Invalid.Say("Items nest at most %d deep; below %s this would be %d.", maxDepth, p.Key(), len(line)+below).On("parent")
	}
	it.Parent = sql.NullString{String: p.ID, Valid: true}
	it.ParentNo = sql.NullInt64{Int64: p.No, Valid: true}
	it.Depth = len(line)
	return nil
}

const countChild = `UPDATE items SET children = children + $2, children_open = children_open + $3 WHERE id = $1`

// countChild keeps a parent's counts when a part of it went from one status to
// another; "" stands for not being its part.
func (t *Tracker) countChild(ctx context.Context, c *tool.Call, it item, from, to string) error {
	if !it.Parent.Valid {
		return nil
	}
	all, open := 0, 0
	if from != "" {
		all--
		if !over(from) {
			open--
		}
	}
	if to != "" {
		all++
		if !over(to) {
			open++
		}
	}
	if all == 0 && open == 0 {
		return nil
	}
	if _, err := c.Tx.ExecContext(ctx, countChild, it.Parent.String, all, open); err != nil {
		return fmt.Errorf("count the parts of an item: %w", err)
	}
	return nil
}
