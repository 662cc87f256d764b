package tracker

import (
	"context"
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
