package tracker

import (
	"context"
	"fmt"
	"time"

	"github.com/lib/pq"

	"crewlet/engine/access"
	"crewlet/engine/org"
	"crewlet/engine/tool"
)

// WorkRouting is what work_routing is asked.
type WorkRouting struct {
	Key    string `json:"key" validate:"required,max=30" jsonschema:"such as ENG-412"`
	Cursor string `json:"cursor,omitempty" validate:"max=300" jsonschema:"next of the last answer"`
	Limit  int    `json:"limit,omitempty" validate:"min=0,max=100" jsonschema:"at most so many; 50 when left out"`
}

// Object names the item, for the record of a call that was refused.
func (a WorkRouting) Object() string { return itemObject(a.Key) }

// Routing is whom the changes of an item reached, the newest first.
type Routing struct {
	Changes []Routed `json:"changes"`
	Next    string   `json:"next,omitempty" jsonschema:"send it as cursor for older ones"`
	AsOf    int64    `json:"as_of"`
}

// Routed is one change, and whom it reached.
type Routed struct {
	At       time.Time `json:"at"`
	Position int64     `json:"position,omitempty" jsonschema:"in the log; left out where it was a change of something else"`
	Kinds    []string  `json:"kinds" jsonschema:"what it was, such as comment.added and ask.opened"`
	Author   *Person   `json:"author,omitempty"`
	Reached  []Reached `json:"reached" jsonschema:"empty where nobody but its author had to do with it"`
}

// Reached is one whom a change reached, and why.
type Reached struct {
	Who    *Person `json:"who"`
	Reason string  `json:"reason"`
}

func declareWorkRouting(t *Tracker) tool.Use[WorkRouting, Routing] {
	return tool.Declare(tool.Spec{
		Name:     "work_routing",
		Title:    "Whom changes reached",
		Brief:    "List whom each change of a work item reached, and for what reason, the newest first.",
		Access:   access.Operator(access.StateRead),
		Audience: tool.Operators,
		Mode:     tool.Read,
	}, t.workRouting)
}

// routed is what happened to the item with number $2 of project $1, or was
// told of it: one row per operation. Two kinds are told of an item and are no
// changes of it.
const routed = `
	WITH i AS (
		SELECT id, 'item:' || project || '-' || no AS object FROM items WHERE project = $1 AND no = $2
	), happened AS (
		SELECT e.operation, max(e.at) AS at FROM (
			SELECT h.operation, h.at FROM i JOIN changes h ON h.object = i.object WHERE h.operation IS NOT NULL
			UNION ALL SELECT n.operation, n.at FROM i JOIN notices n ON n.item = i.id WHERE n.kind IN ('item.unblocked', 'queue.ordered')
		) AS e GROUP BY e.operation
		HAVING $3::timestamptz IS NULL OR (max(e.at), e.operation) < ($3::timestamptz, $4::uuid)
		ORDER BY 2 DESC, 1 DESC LIMIT $5
	)
	SELECT json_build_object('operation', e.operation, 'at', e.at,
		'changes', (SELECT coalesce(json_agg(` + eventShape + ` ORDER BY h.position), '[]') FROM changes h
			WHERE h.object = i.object AND h.operation = e.operation AND h.project IS NOT NULL),
		'notices', (SELECT coalesce(json_agg(json_build_object('party', n.party, 'reason', n.reason, 'kind', n.kind,
			'actor', n.actor, 'actor_name', n.actor_name) ORDER BY array_position($6::text[], n.reason), n.party), '[]') FROM notices n
			WHERE n.item = i.id AND n.operation = e.operation))
	FROM happened e, i ORDER BY e.at DESC, e.operation DESC`

// routedRow is an operation as the database answers it, as JSON.
type routedRow struct {
	Operation string     `json:"operation"`
	At        time.Time  `json:"at"`
	Changes   []eventRow `json:"changes"`
	Notices   []struct {
		Party     string `json:"party"`
		Reason    string `json:"reason"`
		Kind      string `json:"kind"`
		Actor     string `json:"actor"`
		ActorName string `json:"actor_name"`
	} `json:"notices"`
}

// routedCursor marks the cursors of this list.
const routedCursor = "routing"

func (t *Tracker) workRouting(ctx context.Context, c *tool.Call, in WorkRouting) (Routing, error) {
	if in.Limit == 0 {
		in.Limit = 50
	}
	dir, err := t.directory(ctx, c)
	if err != nil {
		return Routing{}, err
	}
	project, no, ok := parseKey(in.Key)
	if !ok {
		return Routing{}, noItem(in.Key)
	}
	var at, last any
	if in.Cursor != "" {
		from, err := readCursor(in.Cursor, routedCursor)
		if err != nil {
			return Routing{}, err
		}
		at, last = from.Value, from.ID
	}
	rows, err := jsonRows[routedRow](ctx, c.Tx, routed, project, no, at, last, in.Limit+1, pq.Array(reasonOrder))
	if err != nil {
		return Routing{}, badCursor(fmt.Errorf("read whom the changes of %s reached: %w", in.Key, err))
	}
	if len(rows) == 0 { // whatever is there was filed once
		_, err := t.findItem(ctx, c.Tx, in.Key)
		return Routing{Changes: []Routed{}, AsOf: c.Landed.Position}, err
	}
	out := Routing{Changes: []Routed{}, AsOf: c.Landed.Position}
	if len(rows) > in.Limit {
		rows = rows[:in.Limit]
		end := rows[in.Limit-1]
		out.Next = cursor{Sort: routedCursor, Value: end.At.UTC().Format(time.RFC3339Nano), ID: end.Operation}.String()
	}
	for _, row := range rows {
		out.Changes = append(out.Changes, row.told(dir))
	}
	return out, nil
}

// told is one change as an answer. What came from another item has no row in
// this one's history, so its notices say what it was.
func (r routedRow) told(dir *org.Directory) Routed {
	out := Routed{At: r.At.UTC(), Kinds: []string{}, Reached: []Reached{}}
	for _, change := range r.Changes {
		out.Position, out.Author = change.Position, author(dir, change.Actor, change.ActorName)
		out.Kinds = append(out.Kinds, change.Kind)
	}
	for _, n := range r.Notices {
		if len(r.Changes) == 0 {
			out.Author, out.Kinds = author(dir, n.Actor, n.ActorName), []string{n.Kind}
		}
		out.Reached = append(out.Reached, Reached{Who: person(dir, n.Party), Reason: n.Reason})
	}
	return out
}
