package tracker

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"crewlet/engine/org"
	"crewlet/engine/tool"
)

// reason is why somebody hears of a change.
type reason string

// The reasons there are. Who has several is told under the strongest.
const (
	byMention     reason = "mention"
	byAsk         reason = "asked"
	byAnswer      reason = "answered"
	byUnblocking  reason = "unblocked"
	byAssignment  reason = "assignee"
	byUnassigning reason = "unassigned"
	byReport      reason = "reporter"
	byPriority    reason = "prioritised"
	byWork        reason = "collaborator"
	byWatching    reason = "watcher"
	byLead        reason = "lead"
)

// reasonOrder lists the reasons, the strongest first.
var reasonOrder = []string{
	string(byMention), string(byAsk), string(byAnswer), string(byUnblocking), string(byAssignment), string(byUnassigning),
	string(byReport), string(byPriority), string(byWork), string(byWatching), string(byLead),
}

// Reasons lists the reasons there are to be told of something, the strongest
// first.
func Reasons() []string { return slices.Clone(reasonOrder) }

// reasons is who hears of a change, by party.
type reasons map[string]reason

// add gives a party a reason to hear; the stronger one stays. Nobody, as the
// empty party, hears nothing.
func (r reasons) add(party string, why reason) {
	if party == "" {
		return
	}
	if had, ok := r[party]; !ok || slices.Index(reasonOrder, string(why)) < slices.Index(reasonOrder, string(had)) {
		r[party] = why
	}
}

// notice is what those who hear of a change are told.
type notice struct {
	Kind    string // of the change, as the log has it: comment.added
	Summary string // one line, as people read it
	Comment string // id of the comment it is about; empty where there is none
}

// inboxHolds is how many notices a party has at most.
const inboxHolds = 5000

// tellAll writes one notice per party. Where a party has as many as it may,
// the oldest it read that nobody else takes just now makes room; where it read none, it is not told. Told
// twice of one change of one item, the stronger reason stays.
const tellAll = `
	WITH told AS (
		SELECT u.id, u.party, u.reason, (SELECT count(*) FROM (SELECT FROM notices n WHERE n.party = u.party LIMIT $12::int + 100) AS has) AS held
		FROM unnest($1::uuid[], $2::text[], $3::text[]) AS u(id, party, reason)
	), room AS (
		DELETE FROM notices n USING (
			SELECT old.id FROM told t CROSS JOIN LATERAL (
				SELECT r.id FROM notices r WHERE r.party = t.party AND r.read_at IS NOT NULL ORDER BY r.id LIMIT t.held - $12::int + 1 FOR UPDATE SKIP LOCKED
			) AS old WHERE t.held >= $12::int
		) AS old WHERE n.id = old.id RETURNING n.party
	)
	INSERT INTO notices AS n (id, party, item, reason, kind, actor, actor_name, summary, comment, operation, at)
	SELECT t.id, t.party, $4::uuid, t.reason, $5, $6, $7, $8, nullif($9, '')::uuid, $10::uuid, $11::timestamptz FROM told t
	WHERE t.held < $12::int OR t.party IN (SELECT party FROM room)
	ON CONFLICT ON CONSTRAINT notices_once DO UPDATE
	SET reason = EXCLUDED.reason, kind = EXCLUDED.kind, summary = EXCLUDED.summary, comment = EXCLUDED.comment
	WHERE array_position($13::text[], EXCLUDED.reason) < array_position($13::text[], n.reason)`

// tell puts a change of an item into the inboxes of those with a reason to
// hear of it. Who made it hears nothing under any of their names, unless it
// freed work of theirs. A full inbox is no error.
func (t *Tracker) tell(ctx context.Context, c *tool.Call, it item, told notice, r reasons) error {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return err
	}
	r = r.heard(c, dir)
	if len(r) == 0 {
		return nil
	}
	parties := slices.Sorted(maps.Keys(r)) // in one order, so that two changes at once never wait for each other
	ids, why := make([]string, len(parties)), make([]string, len(parties))
	for i, party := range parties {
		id, err := uuid.NewV7()
		if err != nil {
			return fmt.Errorf("make an id: %w", err)
		}
		ids[i], why[i] = id.String(), string(r[party])
	}
	_, err = c.Tx.ExecContext(ctx, tellAll, pq.Array(ids), pq.Array(parties), pq.Array(why), it.ID, told.Kind, c.By.Party(), actorName(c, dir),
		told.Summary, told.Comment, c.Key, c.Now, inboxHolds, pq.Array(reasonOrder))
	if err != nil {
		return fmt.Errorf("tell of %s: %w", it.Key(), err)
	}
	return nil
}

// heard is the reasons by the name each party goes by now, without the author.
func (r reasons) heard(c *tool.Call, dir *org.Directory) reasons {
	own, kept := c.By.Parties(), reasons{}
	for party, why := range r {
		if m, ok := dir.Member(party); ok {
			party = m.Party
		}
		if why == byUnblocking || !slices.Contains(own, party) {
			kept.add(party, why)
		}
	}
	return kept
}

// actorName is who acts, as people read it.
func actorName(c *tool.Call, dir *org.Directory) string {
	if m, ok := dir.Member(c.By.Party()); ok && m.Name != "" {
		return m.Name
	}
	return c.By.Name
}

const allFollowers = `SELECT party, role FROM item_parties WHERE item = $1`

// audience is who hears of any change of an item: who works on it, who
// reported it, who watches it, and the lead of the unit it is routed to.
func (t *Tracker) audience(ctx context.Context, c *tool.Call, dir *org.Directory, it item) (reasons, error) {
	var rows []struct{ Party, Role string }
	if err := c.Tx.SelectContext(ctx, &rows, allFollowers, it.ID); err != nil {
		return nil, fmt.Errorf("read who follows %s: %w", it.Key(), err)
	}
	r := reasons{}
	r.add(it.Assignee, byAssignment)
	r.add(it.Reporter, byReport)
	for _, row := range rows {
		r.add(row.Party, reason(row.Role))
	}
	if leads := dir.Leads(it.RoutingUnit); len(leads) > 0 {
		r.add(leads[0], byLead)
	}
	return r, nil
}
