package tracker

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"

	"crewlet/engine/changes"
	"crewlet/engine/tool"
)

// listed is an item of a page. Where the project it is of is described too, a
// row of its own brings that, and no item.
type listed struct {
	item
	Around   along `db:"around"`
	Position int64 `db:"position"` // where in the log the page was read
}

// noItemColumns are what a row without an item has for each that is drawn.
var noItemColumns = func() string {
	columns := make([]string, len(drawn))
	for _, f := range reflect.VisibleFields(reflect.TypeFor[item]()) {
		if i := slices.Index(drawn, f.Tag.Get("db")); i >= 0 {
			columns[i] = nothing(f.Type)
		}
	}
	columns[slices.Index(drawn, "id")] = "'" + uuid.Nil.String() + "'"
	return strings.Join(columns, ", ")
}()

// nothing is what is read into a field that cannot hold a null.
func nothing(kind reflect.Type) string {
	switch {
	case kind == reflect.TypeFor[time.Time]():
		return "'epoch'"
	case kind == reflect.TypeFor[pq.StringArray]():
		return "'{}'"
	case kind.Kind() == reflect.String:
		return "''"
	case kind.Kind() == reflect.Int || kind.Kind() == reflect.Int64:
		return "0"
	default:
		return "NULL"
	}
}

// aroundPage is the statement of a page with the project it is of. The page is
// cut first, so that it is read by its index; few rows are then put in order.
func (w *where) aroundPage(page, key, by string) string {
	return "SELECT * FROM (SELECT i.*, NULL::json AS around FROM (" + page + ") AS i UNION ALL SELECT " + noItemColumns + ", (" + changes.Position + "), row_to_json(p) " +
		"FROM projects p WHERE p.key = " + w.arg(key) + ") AS i ORDER BY " + by
}

// page are the rows of a page as they come.
type page struct {
	rows []listed
	row  listed
	into []any // the fields of row, column by column
}

func newPage(room int, columns ...string) *page {
	p := &page{rows: make([]listed, 0, room)}
	fields := map[string]any{"around": &p.row.Around, "position": &p.row.Position}
	v := reflect.ValueOf(&p.row.item).Elem()
	for i := range v.NumField() {
		fields[v.Type().Field(i).Tag.Get("db")] = v.Field(i).Addr().Interface()
	}
	for _, name := range columns {
		p.into = append(p.into, fields[name])
	}
	return p
}

// Begin forgets what came before.
func (p *page) Begin() { p.rows = p.rows[:0] }

// Row takes one.
func (p *page) Row(scan func(dst ...any) error) error {
	p.row = listed{}
	if err := scan(p.into...); err != nil {
		return err
	}
	p.rows = append(p.rows, p.row)
	return nil
}

// drawnRows are the rows of a page with what it is put in order by, and where
// in the log it was read.
func (w *where) drawnRows(ctx context.Context, c *tool.Call, in ListItems, query string) ([]listed, error) {
	columns := append(slices.Clone(drawn), "position")
	if _, ok := in.describes(); ok {
		columns = append(columns, "around")
	}
	to := newPage(in.Limit+2, columns...)
	if err := c.Tx.EachContext(ctx, to, in.Query.whole(), query, w.args...); err != nil {
		return nil, badCursor(fmt.Errorf("list the items: %w", err))
	}
	if len(to.rows) > 0 {
		c.Stands(to.rows[0].Position)
	}
	return to.rows, nil
}

// takeProject takes the row of the project out from among those of items.
func takeProject(rows []listed) (*project, []listed) {
	at := slices.IndexFunc(rows, func(row listed) bool { return row.Around.project != nil })
	if at < 0 {
		return nil, rows
	}
	p := rows[at].Around.project
	return p, slices.Delete(rows, at, at+1)
}

// describe adds what stands around a list.
func (t *Tracker) describe(ctx context.Context, c *tool.Call, w *where, in ListItems, p *project, out *ItemList) error {
	if !in.Describe {
		return nil
	}
	out.Everybody = everybody(w.dir)
	key, ok := in.describes()
	if !ok {
		return nil
	}
	if p == nil {
		return noProject(ctx, c.Tx, key)
	}
	told := p.told(w.dir)
	out.Project = &told
	return nil
}
