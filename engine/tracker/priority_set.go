package tracker

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lib/pq"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/org"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// mostQueued is how many items a queue holds.
const mostQueued = 100

// SetPriorities is what set_priorities is asked.
type SetPriorities struct {
	Whose string   `json:"whose,omitempty" validate:"max=200" jsonschema:"whose queue: handle, login or name; yours when left out"`
	Items []string `json:"items" validate:"required,max=100,dive,max=30" jsonschema:"keys of open items, the first first; the whole queue; [] empties it"`
}

// Queue is the order in which somebody is to do their work.
type Queue struct {
	Whose     *Person   `json:"whose,omitempty"`
	Items     []string  `json:"items"` // keys
	OrderedBy *Person   `json:"ordered_by,omitempty" jsonschema:"who ordered it, where it was not the owner"`
	At        time.Time `json:"at"`
}

func declareSetPriorities(t *Tracker) tool.Use[SetPriorities, Queue] {
	return tool.Declare(tool.Spec{
		Name:     "set_priorities",
		Title:    "Order a queue",
		Brief:    "Put a queue of work in order: your own, or that of somebody you lead. What somebody else ordered says who did, until its owner orders it anew.",
		Access:   access.OwnOrLead(access.WorkWrite),
		Audience: tool.Operators,
		Hints:    tool.Hints{Idempotent: true},
		Delivers: "tracker",
	}, t.setPriorities).Owned(t.queueFacts)
}

// queueFacts is whose queue it is, and who may order it beside them: whoever
// leads them, and the company's operator. A seat orders no colleague's.
func (t *Tracker) queueFacts(ctx context.Context, c *tool.Call, in SetPriorities) (access.Facts, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return access.Facts{}, err
	}
	whose, err := queueOf(c, dir, in.Whose)
	facts := access.Facts{Owner: whose}
	if err == nil && standsIn(c, dir, whose) {
		facts.Leads = []string{c.By.Key()}
	}
	return facts, err
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

const (
	// Two who order one queue at once come one after the other.
	holdQueue = `SELECT pg_advisory_xact_lock(hashtextextended('queue:' || $1, 0))::text`

	queueNow = `
		SELECT i.project || '-' || i.no AS key, p.set_by FROM priorities p JOIN items i ON i.id = p.item WHERE p.party = ANY ($1) ORDER BY p.ord`
	leaveQueue = `DELETE FROM priorities WHERE party = ANY ($1)`
	orderQueue = `
		INSERT INTO priorities (party, item, ord, set_by, set_at)
		SELECT $1, u.id, u.ord, $3, $4 FROM unnest($2::uuid[]) WITH ORDINALITY AS u(id, ord)`
)

func (t *Tracker) setPriorities(ctx context.Context, c *tool.Call, in SetPriorities) (Queue, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return Queue{}, err
	}
	whose, err := queueOf(c, dir, in.Whose)
	if err != nil {
		return Queue{}, err
	}
	c.About("queue:" + whose)
	items, err := t.queueable(ctx, c, in.Items)
	if err != nil {
		return Queue{}, err
	}
	names, keys := namesOf(c, dir, whose), []string{}
	for _, it := range items {
		keys = append(keys, it.Key())
	}
	var held []struct {
		Key   string `db:"key"`
		SetBy string `db:"set_by"`
	}
	if _, err := c.Tx.ExecContext(ctx, holdQueue, whose); err != nil {
		return Queue{}, fmt.Errorf("hold a queue: %w", err)
	}
	if err := c.Tx.SelectContext(ctx, &held, queueNow, pq.Array(names)); err != nil {
		return Queue{}, fmt.Errorf("read a queue: %w", err)
	}
	out := Queue{Whose: person(dir, whose), Items: keys, OrderedBy: orderedBy(dir, names, c.By.Party()), At: c.Now}
	before, stamped := []string{}, true
	for _, entry := range held {
		before, stamped = append(before, entry.Key), stamped && entry.SetBy == c.By.Party()
	}
	if stamped && slices.Equal(before, keys) {
		c.Unchanged()
		return out, nil
	}
	if err := writeQueue(ctx, c, whose, names, items); err != nil {
		return Queue{}, err
	}
	c.Changed("queue.ordered", "queue:"+whose, map[string]changes.Delta{"items": {From: before, To: keys}})
	return out, t.tellQueue(ctx, c, whose, items, before)
}

// writeQueue replaces a queue, stamped with who ordered it.
func writeQueue(ctx context.Context, c *tool.Call, whose string, names []string, items []item) error {
	ids := []string{}
	for _, it := range items {
		ids = append(ids, it.ID)
	}
	if _, err := c.Tx.ExecContext(ctx, leaveQueue, pq.Array(names)); err != nil {
		return fmt.Errorf("empty a queue: %w", err)
	}
	if _, err := c.Tx.ExecContext(ctx, orderQueue, whose, pq.Array(ids), c.By.Party(), c.Now); err != nil {
		return fmt.Errorf("order a queue: %w", err)
	}
	return nil
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

const queuedItems = `
	SELECT ` + itemColumns + ` FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS u(project, no, ord)
	JOIN items i ON i.project = u.project AND i.no = u.no ORDER BY u.ord`

// queueable reads the items of a queue. Each has to be there, open, and named
// once.
func (t *Tracker) queueable(ctx context.Context, c *tool.Call, keys []string) ([]item, error) {
	if len(keys) > mostQueued {
		return nil, refusal.Invalid.Say("A queue holds at most %d items.", mostQueued).On("items")
	}
	projects, numbers := []string{}, []int64{}
	for _, key := range keys {
		project, no, ok := parseKey(key)
		if !ok {
			return nil, refusal.Invalid.Say("%q is no key of an item; one is such as ENG-412.", key).On("items")
		}
		projects, numbers = append(projects, project), append(numbers, no)
	}
	var items []item
	if err := c.Tx.SelectContext(ctx, &items, queuedItems, pq.Array(projects), pq.Array(numbers)); err != nil {
		return nil, fmt.Errorf("read the items of a queue: %w", err)
	}
	found := map[string]bool{}
	for _, it := range items {
		if over(it.Status) {
			return nil, refusal.Invalid.Say("%s is finished; a queue holds open items.", it.Key()).On("items")
		}
		if found[it.Key()] {
			return nil, refusal.Invalid.Say("%s is named twice.", it.Key()).On("items")
		}
		found[it.Key()] = true
	}
	for i, project := range projects {
		if key := fmt.Sprintf("%s-%d", project, numbers[i]); !found[key] {
			return nil, refusal.Invalid.Say("There is no item %s.", key).On("items")
		}
	}
	return items, nil
}

// tellQueue tells the owner of a queue what somebody else put into it or
// further to its front.
func (t *Tracker) tellQueue(ctx context.Context, c *tool.Call, whose string, items []item, before []string) error {
	if slices.Contains(c.By.Parties(), whose) {
		return nil
	}
	for place, it := range items {
		if was := slices.Index(before, it.Key()); was >= 0 && was <= place {
			continue
		}
		told := notice{Kind: "queue.ordered", Summary: fmt.Sprintf("put this at place %d of your queue", place+1)}
		if err := t.tell(ctx, c, it, told, reasons{whose: byPriority}); err != nil {
			return err
		}
	}
	return nil
}
