package tracker

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lib/pq"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/org"
	"crewlet/engine/tool"
)

// mostQueued is how many items a queue holds.
const mostQueued = 100

// ofQueue are arguments that name a queue by its owner.
type ofQueue interface{ whose() string }

// queueFacts is whose queue it is, and who may read and order it beside them:
// whoever leads them, and the company's operator. A seat orders no colleague's.
func queueFacts[In ofQueue](t *Tracker) func(context.Context, *tool.Call, In) (access.Facts, error) {
	return func(ctx context.Context, c *tool.Call, in In) (access.Facts, error) {
		dir, err := t.directory(ctx, c)
		if err != nil {
			return access.Facts{}, err
		}
		whose, err := queueOf(c, dir, in.whose())
		facts := access.Facts{Owner: whose}
		if err == nil && standsIn(c.By, dir, whose) {
			facts.Leads = []string{c.By.Key()}
		}
		return facts, err
	}
}

// queueOf is the party whose queue a call is about.
func queueOf(c *tool.Call, dir *org.Directory, word string) (string, error) {
	if word == "" || strings.EqualFold(word, "me") {
		return c.By.Party(), nil
	}
	m, err := dir.Resolve(word, "whose")
	return m.Party, err
}

// orderedBy is who ordered a queue, where that was not its owner.
func orderedBy(dir *org.Directory, own []string, by string) *Person {
	if by == "" || slices.Contains(own, by) {
		return nil
	}
	return person(dir, by)
}

// namesOf are the names somebody's queue may be kept under: that of their
// seat, and their own from before they had it.
func namesOf(c *tool.Call, dir *org.Directory, party string) []string {
	if slices.Contains(c.By.Parties(), party) {
		return c.By.Parties()
	}
	names := []string{party}
	if m, ok := dir.Member(party); ok && m.Person != "" {
		names = append(names, access.PersonParty(m.Person))
	}
	return names
}

// queue is one that is about to be changed, as it stands.
type queue struct {
	party string
	names []string // it may be kept under
	held  []entry
}

// entry is a place of a queue.
type entry struct {
	ID    string `db:"id"`
	Key   string `db:"key"`
	Open  bool   `db:"open"`
	SetBy string `db:"set_by"` // a party
}

const (
	// Two who order one queue at once come one after the other.
	lockQueue = `SELECT pg_advisory_xact_lock(hashtextextended('queue:' || $1, 0))::text`

	queueNow = `
		SELECT i.id, i.project || '-' || i.no AS key, i.open, p.set_by
		FROM priorities p JOIN items i ON i.id = p.item WHERE p.party = ANY ($1) ORDER BY p.ord`
	leaveQueue = `DELETE FROM priorities WHERE party = ANY ($1)`
	orderQueue = `
		INSERT INTO priorities (party, item, ord, set_by, set_at)
		SELECT $1, u.id, u.ord, $3, $4 FROM unnest($2::uuid[]) WITH ORDINALITY AS u(id, ord)`
)

// holdQueue reads a queue and keeps others from it until the call has ended.
func holdQueue(ctx context.Context, c *tool.Call, dir *org.Directory, whose string) (queue, error) {
	q := queue{party: whose, names: namesOf(c, dir, whose)}
	if _, err := c.Tx.ExecContext(ctx, lockQueue, whose); err != nil {
		return q, fmt.Errorf("hold a queue: %w", err)
	}
	if err := c.Tx.SelectContext(ctx, &q.held, queueNow, pq.Array(q.names)); err != nil {
		return q, fmt.Errorf("read a queue: %w", err)
	}
	return q, nil
}

func (q queue) keys() []string {
	keys := []string{}
	for _, e := range q.held {
		keys = append(keys, e.Key)
	}
	return keys
}

// stamped reports whether all of it was ordered by one.
func (q queue) stamped(by string) bool {
	return !slices.ContainsFunc(q.held, func(e entry) bool { return e.SetBy != by })
}

// told is the queue as an answer, with other keys.
func (q queue) told(c *tool.Call, dir *org.Directory, keys []string) Queue {
	return Queue{Whose: person(dir, q.party), Items: keys, OrderedBy: orderedBy(dir, q.names, c.By.Party()), At: c.Now}
}

// write replaces the queue, stamped with who ordered it.
func (q queue) write(ctx context.Context, c *tool.Call, ids, keys []string) error {
	if _, err := c.Tx.ExecContext(ctx, leaveQueue, pq.Array(q.names)); err != nil {
		return fmt.Errorf("empty a queue: %w", err)
	}
	if _, err := c.Tx.ExecContext(ctx, orderQueue, q.party, pq.Array(ids), c.By.Party(), c.Now); err != nil {
		return fmt.Errorf("order a queue: %w", err)
	}
	c.Changed("queue.ordered", "queue:"+q.party, map[string]changes.Delta{"items": {From: q.keys(), To: keys}})
	return nil
}

// tellPlace tells the owner of a queue that somebody else put an item into it,
// or further to its front. Places begin at 0.
func (t *Tracker) tellPlace(ctx context.Context, c *tool.Call, q queue, it item, place int) error {
	was := slices.Index(q.keys(), it.Key())
	if slices.Contains(c.By.Parties(), q.party) || was >= 0 && was <= place {
		return nil
	}
	told := notice{Kind: "queue.ordered", Summary: fmt.Sprintf("put this at place %d of your queue", place+1)}
	return t.tell(ctx, c, it, told, reasons{q.party: byPriority})
}
