package tracker

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/lib/pq"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/org"
	"crewlet/engine/tool"
)

// WorkInbox is what work_inbox is asked.
type WorkInbox struct {
	Box    string `json:"box,omitempty" validate:"omitempty,oneof=primary other all snoozed" jsonschema:"primary when left out: what you chose to see first"`
	Unread bool   `json:"unread,omitempty" jsonschema:"only what is not read"`
	Cursor string `json:"cursor,omitempty" validate:"max=300" jsonschema:"next of the last answer"`
	Limit  int    `json:"limit,omitempty" validate:"min=0,max=100" jsonschema:"at most so many; 50 when left out"`
}

// Inbox is a page of what somebody was told, the newest first. What was put
// off comes back as new at its time.
type Inbox struct {
	Entries []Told   `json:"entries"`
	Next    string   `json:"next,omitempty" jsonschema:"send it as cursor for older ones"`
	Unread  Unread   `json:"unread"`
	Primary []string `json:"primary" jsonschema:"the reasons that go to primary"`
	Full    bool     `json:"full,omitempty" jsonschema:"it holds as much as it may, and nothing of it is read: what is new does not reach it"`
	AsOf    int64    `json:"as_of"`
}

// Unread counts what is not read, snoozed entries aside.
type Unread struct {
	Primary int `json:"primary"`
	Other   int `json:"other"`
}

// Told is one change somebody was told of.
type Told struct {
	ID      string     `json:"id" jsonschema:"send it to mark_inbox"`
	Item    string     `json:"item"` // key
	Title   string     `json:"title"`
	Status  string     `json:"status"`
	Reason  string     `json:"reason" jsonschema:"why you are told"`
	Kind    string     `json:"kind" jsonschema:"of the change, such as comment.added"`
	By      *Person    `json:"by,omitempty"`
	Summary string     `json:"summary" said:"by" jsonschema:"what they did, in one line"`
	Comment string     `json:"comment,omitempty" jsonschema:"id of the comment it is about"`
	Ask     *Asked     `json:"ask,omitempty" jsonschema:"the question it is about, as it stands now"`
	At      time.Time  `json:"at"`
	Read    bool       `json:"read,omitempty"`
	Primary bool       `json:"primary,omitempty"`
	Snoozed *time.Time `json:"snoozed_until,omitempty"`
}

// own marks rows that are the caller's own record, for whoever may look at all.
func own(needs access.Grants) access.Row { return access.Row{Rule: access.RuleSelf, Needs: needs} }

func declareWorkInbox(t *Tracker) tool.Use[WorkInbox, Inbox] {
	return tool.Declare(tool.Spec{
		Name:     "work_inbox",
		Title:    "Inbox",
		Brief:    "Read your inbox: what happened that concerns you and why, the newest first; primary, other, or what you snoozed.",
		Access:   own(access.StateRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, t.workInbox).Glance(func(WorkInbox) bool { return true })
}

// firstChoice is what goes to primary for those who chose nothing: what is put
// to them, or theirs to do.
var firstChoice = []string{
	string(byMention), string(byAsk), string(byAnswer), string(byUnblocking), string(byAssignment), string(byUnassigning), string(byPriority),
}

// inboxRead is an inbox in one look. $1 are the caller's names, $2 the one a
// choice is kept under, $4 the clock. Items are read one by one, for a page
// has few of all there are.
const inboxRead = `
	WITH chosen AS (
		SELECT coalesce((SELECT reasons FROM inbox_choices WHERE party = $2), $3::text[]) AS reasons
	), mine AS MATERIALIZED (
		SELECT n.id, n.item, n.reason, n.kind, n.actor, n.actor_name, n.summary, n.comment, n.at, n.read_at, n.snoozed_until,
			n.reason = ANY (chosen.reasons) AS first, coalesce(n.snoozed_until > $4, false) AS asleep,
			CASE WHEN n.snoozed_until <= $4 THEN n.snoozed_until ELSE n.at END AS came
		FROM notices n, chosen WHERE n.party = ANY ($1)
	), page AS MATERIALIZED (
		SELECT m.id, m.item, m.reason, m.kind, m.actor, m.actor_name, m.summary, m.comment, m.at, m.read_at, m.snoozed_until, m.first, m.asleep, m.came
		FROM mine m
		WHERE m.asleep = ($5 = 'snoozed') AND ($5 IN ('all', 'snoozed') OR m.first = ($5 = 'primary')) AND (m.read_at IS NULL OR NOT $6)
			AND ($7::timestamptz IS NULL OR (m.came, m.id) < ($7::timestamptz, $8::uuid))
		ORDER BY m.came DESC, m.id DESC LIMIT $9
	)
	SELECT chosen.reasons AS primary_reasons, (` + changes.Position + `) AS position,
		(SELECT count(*) FROM mine WHERE read_at IS NULL AND NOT asleep AND first) AS unread_primary,
		(SELECT count(*) FROM mine WHERE read_at IS NULL AND NOT asleep AND NOT first) AS unread_other,
		(SELECT count(*) FROM mine) AS held, (SELECT count(read_at) FROM mine) AS seen,
		(SELECT coalesce(json_agg(json_build_object('id', p.id, 'project', i.project, 'no', i.no, 'title', i.title, 'status', i.status,
				'reason', p.reason, 'kind', p.kind, 'actor', p.actor, 'actor_name', p.actor_name, 'summary', p.summary, 'comment', p.comment,
				'at', p.at, 'came', p.came, 'read', p.read_at IS NOT NULL, 'first', p.first, 'asleep', p.asleep, 'until', p.snoozed_until,
				'ask', (SELECT ` + askShape + ` FROM asks a WHERE a.id = p.comment)) ORDER BY p.came DESC, p.id DESC), '[]')
			FROM page p CROSS JOIN LATERAL (SELECT o.project, o.no, o.title, o.status FROM items o WHERE o.id = p.item OFFSET 0) AS i) AS entries
	FROM chosen`

// toldRow is an entry as the database answers it, as JSON.
type toldRow struct {
	ID        string     `json:"id"`
	Project   string     `json:"project"`
	No        int64      `json:"no"`
	Title     string     `json:"title"`
	Status    string     `json:"status"`
	Reason    string     `json:"reason"`
	Kind      string     `json:"kind"`
	Actor     string     `json:"actor"`
	ActorName string     `json:"actor_name"`
	Summary   string     `json:"summary"`
	Comment   *string    `json:"comment"`
	At        time.Time  `json:"at"`
	Came      time.Time  `json:"came"`
	Read      bool       `json:"read"`
	First     bool       `json:"first"`
	Asleep    bool       `json:"asleep"`
	Until     *time.Time `json:"until"`
	Ask       *askRow    `json:"ask"`
}

func (t *Tracker) workInbox(ctx context.Context, c *tool.Call, in WorkInbox) (Inbox, error) {
	if in.Limit == 0 {
		in.Limit = 50
	}
	if in.Box == "" {
		in.Box = "primary"
	}
	dir, err := t.directory(ctx, c)
	if err != nil {
		return Inbox{}, err
	}
	var came, last any
	if in.Cursor != "" {
		from, err := readCursor(in.Cursor, in.Box)
		if err != nil {
			return Inbox{}, err
		}
		came, last = from.Value, from.ID
	}
	var row struct {
		Primary       pq.StringArray `db:"primary_reasons"`
		UnreadPrimary int            `db:"unread_primary"`
		UnreadOther   int            `db:"unread_other"`
		Held          int            `db:"held"`
		Seen          int            `db:"seen"`
		Entries       []byte         `db:"entries"`
		Position      int64          `db:"position"`
	}
	err = c.Tx.GetContext(ctx, &row, inboxRead, pq.Array(c.By.Parties()), c.By.Party(), pq.Array(firstChoice), c.Now,
		in.Box, in.Unread, came, last, in.Limit+1)
	if err != nil {
		return Inbox{}, badCursor(fmt.Errorf("read an inbox: %w", err))
	}
	c.Stands(row.Position)
	out := Inbox{
		Unread: Unread{Primary: row.UnreadPrimary, Other: row.UnreadOther}, Primary: inOrder(row.Primary),
		Full: row.Held >= inboxHolds && row.Seen == 0, AsOf: c.Landed.Position,
	}
	return out, out.fill(row.Entries, dir, c, in)
}

// fill reads the entries of a page, and where the next begins.
func (out *Inbox) fill(raw []byte, dir *org.Directory, c *tool.Call, in WorkInbox) error {
	var rows []toldRow
	if err := json.Unmarshal(raw, &rows); err != nil {
		return fmt.Errorf("read the entries of an inbox: %w", err)
	}
	if len(rows) > in.Limit {
		rows = rows[:in.Limit]
		last := rows[in.Limit-1]
		out.Next = cursor{Sort: in.Box, Value: last.Came.UTC().Format(time.RFC3339Nano), ID: last.ID}.String()
	}
	out.Entries = []Told{}
	for _, row := range rows {
		out.Entries = append(out.Entries, row.told(dir, c.By))
	}
	return nil
}

func (r toldRow) told(dir *org.Directory, to access.Principal) Told {
	out := Told{
		ID: r.ID, Item: fmt.Sprintf("%s-%d", r.Project, r.No), Title: r.Title, Status: r.Status, Reason: r.Reason, Kind: r.Kind,
		By: author(dir, r.Actor, r.ActorName), Summary: r.Summary, At: r.At.UTC(), Read: r.Read, Primary: r.First,
	}
	if r.Comment != nil {
		out.Comment = *r.Comment
	}
	if r.Asleep {
		out.Snoozed = r.Until
	}
	if r.Ask != nil {
		asked := r.Ask.told(dir, to)
		out.Ask = &asked
	}
	return out
}

// inOrder is some reasons, the strongest first.
func inOrder(some []string) []string {
	ordered := []string{}
	for _, word := range reasonOrder {
		if slices.Contains(some, word) {
			ordered = append(ordered, word)
		}
	}
	return ordered
}
