package tracker

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/lib/pq"

	"crewlet/engine/access"
	"crewlet/engine/org"
	"crewlet/engine/tool"
)

// MyWork is what my_work is asked.
type MyWork struct {
	Limit int `json:"limit,omitempty" validate:"min=0,max=100" jsonschema:"at most so many of each; 15 when left out"`
	// Describe asks for whose queues else the caller may order.
	Describe bool `json:"-"`
}

// Mine is what there is to do for somebody, read at one moment.
type Mine struct {
	Priorities    []Queued `json:"priorities" jsonschema:"your queue, in its order"`
	Assigned      []Item   `json:"assigned" jsonschema:"open and yours; the most urgent first"`
	Asked         []Asked  `json:"asked" jsonschema:"open questions put to you"`
	Collaborating []Item   `json:"collaborating" jsonschema:"open, another's, and you work on it too"`
	Watched       []Item   `json:"watched" jsonschema:"what you watch that moved in the last 14 days"`
	Workable      []Item   `json:"workable" jsonschema:"yours, not begun, and free since the last 14 days: all it waited on is finished"`
	OrderedBy     *Person  `json:"ordered_by,omitempty" jsonschema:"who ordered your queue last, where it was not you"`
	AsOf          int64    `json:"as_of"`
	Others        []Person `json:"-"`
}

// Queued is an item of a queue.
type Queued struct {
	Item
	Place int       `json:"place" jsonschema:"1 is first"`
	Since time.Time `json:"since" jsonschema:"when the queue was ordered so"`
}

func declareMyWork(t *Tracker) tool.Use[MyWork, Mine] {
	return tool.Declare(tool.Spec{
		Name:     "my_work",
		Title:    "My work",
		Brief:    "Read what there is to do for you: your queue in its order, what is assigned to you, questions put to you, what you collaborate on, what you watch that moved, and what became workable.",
		Access:   own(access.StateRead),
		Audience: tool.Operators | tool.Seats,
		Mode:     tool.Read,
	}, t.myWork)
}

// recent is how far back "moved" and "became workable" look.
const recent = 14 * 24 * time.Hour

// part is how many rows each part of somebody's work has where nobody says.
const part = 15

// Parts of somebody's work: $1 are their names, $2 how many rows each has.
const (
	queuedPart = `
		SELECT 'priorities' AS part, p.item AS id, p.ord AS place, p.set_by, p.set_at, NULL::json AS ask
		FROM (SELECT item, ord, set_by, set_at FROM priorities WHERE party = ANY ($1) ORDER BY ord LIMIT $2) p`
	assignedPart = `
		SELECT 'assigned', a.id, (row_number() OVER (ORDER BY a.priority DESC, a.due_on NULLS LAST, a.updated_at DESC, a.id))::int, '', NULL, NULL
		FROM (SELECT id, priority, due_on, updated_at FROM items WHERE assignee = ANY ($1) AND open ORDER BY priority DESC, due_on NULLS LAST, updated_at DESC, id LIMIT $2) a`
	partsRead = `
	SELECT r.part, r.place, r.set_by, r.set_at, r.ask, ` + itemColumns + `
	FROM rows r JOIN items i ON i.id = r.id
	WHERE r.part <> 'priorities' OR i.open
	ORDER BY r.part, r.place`
)

// myWork is all parts in one statement, so that they are of one moment even
// where each would be read alone. $1 are the caller's names. What somebody
// follows is few among all there is, so it is looked up one by one.
const myWork = `
	WITH rows AS (` + queuedPart + `
	UNION ALL` + assignedPart + `
	UNION ALL
		SELECT 'asked', q.item, (row_number() OVER (ORDER BY q.due_on NULLS LAST, q.id))::int, '', NULL, q.told
		FROM (SELECT a.id, a.item, a.due_on, ` + askShape + ` AS told FROM asks a JOIN items i ON i.id = a.item
			WHERE a.addressee = ANY ($1) AND a.state = 'open' ORDER BY a.due_on NULLS LAST, a.id LIMIT $2) q
	UNION ALL
		SELECT 'collaborating', w.id, (row_number() OVER (ORDER BY w.priority DESC, w.updated_at DESC, w.id))::int, '', NULL, NULL
		FROM (SELECT o.id, o.priority, o.updated_at FROM (
				SELECT DISTINCT f.item FROM item_parties f WHERE f.party = ANY ($1) AND f.role = 'collaborator'
			) AS f CROSS JOIN LATERAL (SELECT o.id, o.priority, o.updated_at, o.assignee, o.open FROM items o WHERE o.id = f.item OFFSET 0) AS o
			WHERE o.open AND o.assignee <> ALL ($1) ORDER BY o.priority DESC, o.updated_at DESC, o.id LIMIT $2) w
	UNION ALL
		SELECT 'watched', w.id, (row_number() OVER (ORDER BY w.updated_at DESC, w.id))::int, '', NULL, NULL
		FROM (SELECT o.id, o.updated_at FROM (
				SELECT DISTINCT f.item FROM item_parties f WHERE f.party = ANY ($1) AND f.role = 'watcher'
			) AS f CROSS JOIN LATERAL (SELECT o.id, o.updated_at, o.assignee FROM items o WHERE o.id = f.item OFFSET 0) AS o
			WHERE o.updated_at > $3 AND o.assignee <> ALL ($1) ORDER BY o.updated_at DESC, o.id LIMIT $2) w
	UNION ALL
		SELECT 'workable', w.id, (row_number() OVER (ORDER BY w.priority DESC, w.id))::int, '', NULL, NULL
		FROM (SELECT o.id, o.priority FROM items o WHERE o.assignee = ANY ($1) AND o.open AND o.status_group = 'not_started' AND o.blockers = 0
			AND EXISTS (SELECT FROM item_links l JOIN items b ON b.id = l.other WHERE l.item = o.id AND l.kind = 'waiting_on' AND b.closed_at > $3)
			ORDER BY o.priority DESC, o.id LIMIT $2) w
	)` + partsRead

// mineRow is an item in one part of somebody's work.
type mineRow struct {
	item
	Part  string       `db:"part"`
	Place int          `db:"place"`
	SetBy string       `db:"set_by"` // a party
	SetAt sql.NullTime `db:"set_at"`
	Ask   []byte       `db:"ask"`
}

func (t *Tracker) myWork(ctx context.Context, c *tool.Call, in MyWork) (Mine, error) {
	if in.Limit == 0 {
		in.Limit = part
	}
	dir, err := t.directory(ctx, c)
	if err != nil {
		return Mine{}, err
	}
	var rows []mineRow
	if err := c.Tx.SelectContext(ctx, &rows, myWork, pq.Array(c.By.Parties()), in.Limit, c.Now.Add(-recent)); err != nil {
		return Mine{}, fmt.Errorf("read somebody's work: %w", err)
	}
	out := Mine{
		Priorities: []Queued{}, Assigned: []Item{}, Asked: []Asked{}, Collaborating: []Item{}, Watched: []Item{}, Workable: []Item{},
		AsOf: c.Landed.Position,
	}
	if in.Describe {
		out.Others = others(c.By, dir)
	}
	for _, row := range rows {
		if err := out.take(row, dir, c.By); err != nil {
			return Mine{}, err
		}
	}
	return out, nil
}

// take puts a row into its part.
func (out *Mine) take(row mineRow, dir *org.Directory, to access.Principal) error {
	told := row.told(dir)
	switch row.Part {
	case "priorities":
		out.Priorities = append(out.Priorities, Queued{Item: told, Place: len(out.Priorities) + 1, Since: row.SetAt.Time.UTC()})
		out.OrderedBy = orderedBy(dir, to.Parties(), row.SetBy)
	case "assigned":
		out.Assigned = append(out.Assigned, told)
	case "asked":
		var ask askRow
		if err := json.Unmarshal(row.Ask, &ask); err != nil {
			return fmt.Errorf("read a question: %w", err)
		}
		out.Asked = append(out.Asked, ask.told(dir, to))
	case "collaborating":
		out.Collaborating = append(out.Collaborating, told)
	case "watched":
		out.Watched = append(out.Watched, told)
	case "workable":
		out.Workable = append(out.Workable, told)
	}
	return nil
}
