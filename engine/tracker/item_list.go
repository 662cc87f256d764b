package tracker

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// ListItems is what list_work_items is asked.
type ListItems struct {
	Query
	Sort   string `json:"sort,omitempty" validate:"omitempty,oneof=-updated updated -created created due -priority key" jsonschema:"-updated when left out"`
	Totals bool   `json:"totals,omitempty" jsonschema:"count all that match"`
	Cursor string `json:"cursor,omitempty" validate:"max=300" jsonschema:"next of the last answer"`
	Limit  int    `json:"limit,omitempty" validate:"min=0,max=100" jsonschema:"at most so many; 50 when left out"`
	// Describe asks for what a page draws: of the items what their rows show, and
	// what stands around the list.
	Describe bool `json:"-"`
}

// ItemList is a page of items.
type ItemList struct {
	Items []Item `json:"items"`
	Next  string `json:"next,omitempty" jsonschema:"send it as cursor for those that follow"`
	Total *int   `json:"total,omitempty"`
	AsOf  int64  `json:"as_of" jsonschema:"the position this was read at"`
	// Project is the one the list is of, and Everybody whom work could be given
	// to, where a page asked for them.
	Project   *Project `json:"-"`
	Everybody []Person `json:"-"`
}

func declareListItems(t *Tracker) tool.Use[ListItems, ItemList] {
	return tool.Declare(tool.Spec{
		Name:     "list_work_items",
		Title:    "Items",
		Brief:    "List work items by where they are, their state, who has them, labels, dates or words. Open ones, newest change first, unless asked otherwise. In a value a comma means any of, a leading ! none of.",
		Access:   access.Read(access.StateRead),
		Audience: tool.Operators | tool.Seats,
		Mode:     tool.Read,
	}, t.listItems).Glance(func(in ListItems) bool { return in.Describe && !in.Totals })
}

// order is one way to sort: total, because ties end by id.
type order struct {
	by    string               // what ORDER BY says
	after func(*where, cursor) // what follows the cursor
	of    func(item) string    // where an item stands
}

// cursor is where a page ended.
type cursor struct {
	Sort  string `json:"s"`
	Value string `json:"v"`
	ID    string `json:"i"`
}

func (c cursor) String() string {
	text, _ := json.Marshal(c) // three strings always encode
	return base64.RawURLEncoding.EncodeToString(text)
}

func readCursor(text, sort string) (cursor, error) {
	var c cursor
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(raw, &c)
	}
	if err != nil || c.Sort != sort || uuid.Validate(c.ID) != nil {
		return c, refusal.Invalid.Say("This cursor is not one of this list's. Leave it out to begin at the top.").On("cursor")
	}
	return c, nil
}

func byTime(column, way, than string, of func(item) time.Time) order {
	return order{
		by: column + " " + way + ", i.id " + way,
		after: func(w *where, c cursor) {
			w.add("(%s, i.id) %s (%s::timestamptz, %s::uuid)", column, than, w.arg(c.Value), w.arg(c.ID))
		},
		of: func(it item) string { return of(it).UTC().Format(time.RFC3339Nano) },
	}
}

var orders = map[string]order{
	"-updated": byTime("i.updated_at", "DESC", "<", func(it item) time.Time { return it.UpdatedAt }),
	"updated":  byTime("i.updated_at", "ASC", ">", func(it item) time.Time { return it.UpdatedAt }),
	"-created": byTime("i.created_at", "DESC", "<", func(it item) time.Time { return it.CreatedAt }),
	"created":  byTime("i.created_at", "ASC", ">", func(it item) time.Time { return it.CreatedAt }),
	"due": {
		by: "i.due_on, i.id", // those without a date stand last
		after: func(w *where, c cursor) {
			if c.Value == "" {
				w.add("i.due_on IS NULL AND i.id > %s::uuid", w.arg(c.ID))
				return
			}
			on := w.arg(c.Value)
			w.add("(i.due_on > %s::date OR i.due_on = %s::date AND i.id > %s::uuid OR i.due_on IS NULL)", on, on, w.arg(c.ID))
		},
		of: func(it item) string { return it.DueOn.String },
	},
	"-priority": {
		by: "i.priority DESC, i.updated_at DESC, i.id DESC",
		after: func(w *where, c cursor) {
			level, at, _ := strings.Cut(c.Value, " ")
			w.add("(i.priority, i.updated_at, i.id) < (%s::smallint, %s::timestamptz, %s::uuid)", w.arg(level), w.arg(at), w.arg(c.ID))
		},
		of: func(it item) string {
			return fmt.Sprintf("%d %s", it.Priority, it.UpdatedAt.UTC().Format(time.RFC3339Nano))
		},
	},
	"key": {
		by: "i.project, i.no",
		after: func(w *where, c cursor) {
			project, no, _ := parseKey(c.Value)
			w.add("(i.project, i.no) > (%s, %s::bigint)", w.arg(project), w.arg(no))
		},
		of: item.Key,
	},
}

func (t *Tracker) listItems(ctx context.Context, c *tool.Call, in ListItems) (ItemList, error) {
	if in.Sort == "" {
		in.Sort = "-updated"
	}
	if in.Limit == 0 {
		in.Limit = 50
	}
	w, err := t.where(ctx, c, in.Query)
	if err != nil {
		return ItemList{}, err
	}
	out := ItemList{AsOf: c.Landed.Position}
	if in.Totals {
		if out.Total, err = t.countItems(ctx, c, w.matching(), w.args); err != nil {
			return ItemList{}, err
		}
	}
	rows, err := w.rows(ctx, c, in)
	if err != nil {
		return ItemList{}, err
	}
	p, rows := takeProject(rows)
	if err := t.describe(ctx, c, w, in, p, &out); err != nil {
		return out, err
	}
	if len(rows) > in.Limit {
		rows = rows[:in.Limit]
		last := rows[in.Limit-1]
		out.Next = cursor{Sort: in.Sort, Value: orders[in.Sort].of(last.item), ID: last.ID}.String()
	}
	out.Items = make([]Item, 0, len(rows))
	for _, row := range rows {
		out.Items = append(out.Items, row.told(w.dir))
	}
	return out, nil
}

// rows are those of one page, and one more.
func (w *where) rows(ctx context.Context, c *tool.Call, in ListItems) ([]listed, error) {
	query, err := w.page(in)
	if err != nil {
		return nil, err
	}
	if in.Describe {
		return w.drawnRows(ctx, c, in, query)
	}
	rows, run := make([]listed, 0, in.Limit+1), c.Tx.SelectBuilt
	if in.Query.whole() {
		run = c.Tx.SelectContext
	}
	if err := run(ctx, &rows, query, w.args...); err != nil {
		return nil, badCursor(fmt.Errorf("list the items: %w", err))
	}
	if len(rows) == 0 { // a page shows what it filters by beside the empty list
		return nil, w.named.refused(ctx, c.Tx)
	}
	return rows, nil
}

// describes is the project a list is of, where a page asked for it.
func (in ListItems) describes() (key string, ok bool) {
	key, ok = strings.CutPrefix(in.Container, "project:")
	return strings.ToUpper(strings.TrimSpace(key)), ok && in.Describe
}

func (w *where) matching() string { return strings.Join(append([]string{"true"}, w.conds...), " AND ") }

// page is the statement that reads one page, and one row more.
func (w *where) page(in ListItems) (string, error) {
	sorted := orders[in.Sort]
	if in.Cursor != "" {
		from, err := readCursor(in.Cursor, in.Sort)
		if err != nil {
			return "", err
		}
		sorted.after(w, from)
	}
	// The limit stands in the text: for a value it does not know, the planner of
	// a prepared statement takes a tenth of the table.
	columns := itemColumns
	if in.Describe {
		columns = drawnColumns + ", (" + changes.Position + ") AS position"
	}
	page := "SELECT " + columns + " FROM items i WHERE " + w.matching() + " ORDER BY " + sorted.by + " LIMIT " + strconv.Itoa(in.Limit+1)
	if key, ok := in.describes(); ok {
		return w.aroundPage(page, key, sorted.by), nil
	}
	return page, nil
}

// where is a query's conditions as a call sees the company.
func (t *Tracker) where(ctx context.Context, c *tool.Call, q Query) (*where, error) {
	dir, err := t.directory(ctx, c)
	if err != nil {
		return nil, err
	}
	zone, err := t.zone(ctx, c)
	if err != nil {
		return nil, err
	}
	w := &where{by: c.By, dir: dir, now: c.Now, zone: zone}
	if err := w.read(q); err != nil {
		return nil, err
	}
	if q.Q == "" {
		return w, nil
	}
	found, err := t.from.Search(ctx, Words{Query: q.Q, Limit: mostFound, Position: c.Landed.Position})
	if err != nil {
		return nil, err
	}
	projects, numbers := splitKeys(found.Keys)
	w.add("(i.project, i.no) IN (SELECT k.project, k.no FROM unnest(%s::text[], %s::bigint[]) AS k(project, no))", w.arg(projects), w.arg(numbers))
	return w, nil
}

func (t *Tracker) countItems(ctx context.Context, c *tool.Call, matching string, args []any) (*int, error) {
	var n []int
	if err := c.Tx.SelectBuilt(ctx, &n, "SELECT count(*) FROM items i WHERE "+matching, args...); err != nil {
		return nil, fmt.Errorf("count the items: %w", err)
	}
	return &n[0], nil
}

// badCursor: a cursor whose value was tampered with is the caller's.
func badCursor(err error) error {
	if e, ok := errors.AsType[*pq.Error](err); ok && e.Code.Class() == "22" {
		return refusal.Invalid.Say("This cursor is not one of this list's. Leave it out to begin at the top.").On("cursor").For(err)
	}
	return err
}
