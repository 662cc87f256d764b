package tracker

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/lib/pq"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// MarkInbox is what mark_inbox is asked.
type MarkInbox struct {
	Entries []string `json:"entries,omitempty" validate:"max=500,dive,uuid" jsonschema:"ids of entries of your inbox"`
	All     bool     `json:"all,omitempty" jsonschema:"instead of entries: all there are, to mark them read"`
	Newest  string   `json:"newest,omitempty" validate:"omitempty,uuid" jsonschema:"with all: the newest entry you saw, so that what came since stays unread"`
	As      string   `json:"as" validate:"required,oneof=read unread snoozed" jsonschema:"what they become"`
	Until   string   `json:"until,omitempty" validate:"max=40" jsonschema:"with snoozed: when it comes back: tomorrow, +7d, 2031-04-16, an instant with offset"`
}

// Marked says how many entries are otherwise now.
type Marked struct {
	Changed int        `json:"changed"`
	Until   *time.Time `json:"until,omitempty"`
}

func declareMarkInbox(t *Tracker) tool.Use[MarkInbox, Marked] {
	return tool.Declare(tool.Spec{
		Name:     "mark_inbox",
		Title:    "Mark entries of the inbox",
		Brief:    "Mark entries of your inbox read or unread, or put them off until a day or an instant.",
		Access:   own(access.StateRead),
		Audience: tool.Operators,
		Hints:    tool.Hints{Idempotent: true},
		Delivers: "tracker",
	}, t.markInbox)
}

const (
	heldEntries = `SELECT id FROM notices WHERE party = ANY ($1) AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE`

	markRead = `
		UPDATE notices SET read_at = $3, snoozed_until = NULL
		WHERE party = ANY ($1) AND id = ANY ($2::uuid[]) AND (read_at IS NULL OR snoozed_until IS NOT NULL)`
	markUnread = `
		UPDATE notices SET read_at = NULL, snoozed_until = NULL
		WHERE party = ANY ($1) AND id = ANY ($2::uuid[]) AND (read_at IS NOT NULL OR snoozed_until IS NOT NULL)`
	markSnoozed = `
		UPDATE notices SET read_at = NULL, snoozed_until = $3
		WHERE party = ANY ($1) AND id = ANY ($2::uuid[]) AND (read_at IS NOT NULL OR snoozed_until IS DISTINCT FROM $3)`
	markAll = `
		UPDATE notices SET read_at = $2
		WHERE party = ANY ($1) AND read_at IS NULL AND (snoozed_until IS NULL OR snoozed_until <= $2) AND ($3::uuid IS NULL OR id <= $3::uuid)`

	// Where nothing is read, nothing can make room for what is new.
	noRoom = `SELECT party FROM notices WHERE party = ANY ($1) GROUP BY party HAVING count(*) >= $2 AND count(read_at) = 0`
)

func (t *Tracker) markInbox(ctx context.Context, c *tool.Call, in MarkInbox) (Marked, error) {
	until, err := t.marking(ctx, c, in)
	if err != nil {
		return Marked{}, err
	}
	var out Marked
	switch {
	case in.All:
		out.Changed, err = mark(ctx, c, markAll, pq.Array(c.By.Parties()), c.Now, optional(in.Newest))
	default:
		out.Changed, err = t.markThese(ctx, c, in, until)
	}
	if err != nil {
		return Marked{}, err
	}
	if !until.IsZero() {
		out.Until = &until
	}
	if out.Changed == 0 {
		c.Unchanged()
		return out, nil
	}
	c.Changed("inbox.marked", "inbox:"+c.By.Party(), map[string]changes.Delta{"entries": {To: out.Changed}, "as": {To: in.As}})
	return out, nil
}

// marking holds the arguments against each other, and reads until when.
func (t *Tracker) marking(ctx context.Context, c *tool.Call, in MarkInbox) (time.Time, error) {
	switch {
	case in.All == (len(in.Entries) > 0):
		return time.Time{}, refusal.Invalid.Say("Send entries, or all; not both.").On("entries")
	case in.All && in.As != "read":
		return time.Time{}, refusal.Invalid.Say("All there is can be marked read only; name the entries.").On("as")
	case (in.As == "snoozed") != (in.Until != ""):
		return time.Time{}, refusal.Invalid.Say("until says when something snoozed comes back; one goes with the other.").On("until")
	case in.Until == "":
		return time.Time{}, nil
	}
	zone, err := t.zone(ctx, c)
	if err != nil {
		return time.Time{}, err
	}
	m, err := readDate(in.Until, "until", c.Now, zone)
	if err != nil {
		return time.Time{}, err
	}
	until := m.begins().UTC()
	if !until.After(c.Now) {
		return until, refusal.Invalid.Say("That is past already; snooze until tomorrow or a later instant.").On("until")
	}
	return until, nil
}

// markThese marks the entries a call names. All have to be the caller's.
func (t *Tracker) markThese(ctx context.Context, c *tool.Call, in MarkInbox, until time.Time) (int, error) {
	own, ids := pq.Array(c.By.Parties()), pq.Array(in.Entries)
	var held []string
	if err := c.Tx.SelectContext(ctx, &held, heldEntries, own, ids); err != nil {
		return 0, fmt.Errorf("read entries of an inbox: %w", err)
	}
	for _, id := range in.Entries {
		if !slices.Contains(held, id) {
			return 0, refusal.Invalid.Say("Your inbox has no entry %s; it may have made room for a newer one.", id).On("entries")
		}
	}
	switch in.As {
	case "read":
		return mark(ctx, c, markRead, own, ids, c.Now)
	case "snoozed":
		n, err := mark(ctx, c, markSnoozed, own, ids, until)
		return roomLeft(ctx, c, n, err)
	default:
		n, err := mark(ctx, c, markUnread, own, ids)
		return roomLeft(ctx, c, n, err)
	}
}

func mark(ctx context.Context, c *tool.Call, statement string, args ...any) (int, error) {
	done, err := c.Tx.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, fmt.Errorf("mark entries of an inbox: %w", err)
	}
	n, err := done.RowsAffected()
	return int(n), err
}

// roomLeft refuses what would leave a full inbox without one entry that may
// make room.
func roomLeft(ctx context.Context, c *tool.Call, changed int, err error) (int, error) {
	if err != nil || changed == 0 {
		return changed, err
	}
	var full []string
	if err := c.Tx.SelectContext(ctx, &full, noRoom, pq.Array(c.By.Parties()), inboxHolds); err != nil {
		return changed, fmt.Errorf("count an inbox: %w", err)
	}
	if len(full) > 0 {
		return changed, refusal.InboxFull.Say("Your inbox holds %d entries, and with this none of them is read, so nothing new would reach it. Mark older entries read first.", inboxHolds).On("entries")
	}
	return changed, nil
}

// optional is a value that may not be there.
func optional(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// SetInboxReasons is what set_inbox_reasons is asked.
type SetInboxReasons struct {
	Primary []string `json:"primary" validate:"required,max=11,dive,oneof=mention asked answered unblocked assignee unassigned reporter prioritised collaborator watcher lead" jsonschema:"the reasons that go to primary; the rest goes to other"`
}

// InboxReasons is what somebody chose to see first.
type InboxReasons struct {
	Primary []string `json:"primary"`
}

func declareSetInboxReasons(t *Tracker) tool.Use[SetInboxReasons, InboxReasons] {
	return tool.Declare(tool.Spec{
		Name:     "set_inbox_reasons",
		Title:    "What goes first in the inbox",
		Brief:    "Choose which reasons put an entry into the primary part of your inbox.",
		Access:   own(access.StateRead),
		Audience: tool.Operators,
		Hints:    tool.Hints{Idempotent: true},
		Delivers: "tracker",
	}, t.setInboxReasons)
}

const chooseReasons = `
	INSERT INTO inbox_choices AS held (party, reasons) VALUES ($1, $2)
	ON CONFLICT (party) DO UPDATE SET reasons = EXCLUDED.reasons WHERE held.reasons <> EXCLUDED.reasons`

func (t *Tracker) setInboxReasons(ctx context.Context, c *tool.Call, in SetInboxReasons) (InboxReasons, error) {
	out := InboxReasons{Primary: inOrder(in.Primary)}
	changed, err := mark(ctx, c, chooseReasons, c.By.Party(), pq.Array(out.Primary))
	if err != nil {
		return out, err
	}
	if changed == 0 {
		c.Unchanged()
		return out, nil
	}
	c.Changed("inbox.sorted", "inbox:"+c.By.Party(), map[string]changes.Delta{"primary": {To: out.Primary}})
	return out, nil
}
