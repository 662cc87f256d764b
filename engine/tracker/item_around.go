package tracker

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/lib/pq"

	"crewlet/engine/changes"
	"crewlet/engine/tool"
)

// listed is an item of a page; one of them brings the project, where that is
// described too. Where no item fits, one row has the project alone, and no id.
type listed struct {
	item
	Around   along `db:"around"`
	Position int64 `db:"position"` // where in the log the page was read
}

// aroundColumns are what listed reads of a page i that may have no rows.
var aroundColumns = func() string {
	var columns []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[item]()) {
		if name := f.Tag.Get("db"); slices.Contains(drawn, name) {
			columns = append(columns, orNothing("i."+name, f.Type)+" AS "+name)
		}
	}
	columns = append(columns, "("+changes.Position+") AS position", alongColumn)
	return strings.Join(columns, ", ")
}()

// orNothing reads a column that is never null, but for a row that is not there.
func orNothing(column string, kind reflect.Type) string {
	switch {
	case kind == reflect.TypeFor[time.Time]():
		return "coalesce(" + column + ", 'epoch')"
	case kind == reflect.TypeFor[pq.StringArray]():
		return "coalesce(" + column + ", '{}')"
	case kind.Kind() == reflect.String:
		return "coalesce(" + column + "::text, '')"
	case kind.Kind() == reflect.Int || kind.Kind() == reflect.Int64:
		return "coalesce(" + column + ", 0)"
	default:
		return column
	}
}

// aroundPage is the statement of a page with the project it is of. The page is
// cut first, so that it is read by its index; few rows are then put in order.
func (w *where) aroundPage(page, key, by string) string {
	return "SELECT " + aroundColumns + " FROM projects around LEFT JOIN LATERAL (" + page + ") AS i ON true WHERE around.key = " + w.arg(key) +
		" ORDER BY " + by
}

// describe adds what stands around a list.
func (t *Tracker) describe(ctx context.Context, c *tool.Call, w *where, in ListItems, rows []listed, out *ItemList) error {
	if !in.Describe {
		return nil
	}
	out.Everybody = everybody(w.dir)
	key, ok := in.describes()
	if !ok {
		return nil
	}
	at := slices.IndexFunc(rows, func(row listed) bool { return row.Around.project != nil })
	if at < 0 {
		return noProject(ctx, c.Tx, key)
	}
	told := rows[at].Around.told(w.dir)
	out.Project = &told
	return nil
}
