package tracker

import (
	"context"
	"fmt"
	"strings"

	"github.com/lib/pq"

	"crewlet/db"
	"crewlet/engine/changes"
)

// Document is an item as the keyword index takes it in.
type Document struct {
	Project string `db:"project"`
	No      int64  `db:"no"`
	Title   string `db:"title"`
	Text    string `db:"text"` // its description and what was said about it
	Status  string `db:"status"`
	Updated int64  `db:"updated"` // ms
}

// Key is the document's name, by which the index knows it.
func (d Document) Key() string { return fmt.Sprintf("%s-%d", d.Project, d.No) }

// DocumentStamp is another when the same rows make other documents.
const DocumentStamp = "item 1"

const (
	documentColumns = `
		SELECT i.project, i.no, i.title, i.status, (extract(epoch FROM i.updated_at) * 1000)::bigint AS updated,
			i.description || coalesce((SELECT E'\n' || string_agg(c.body, E'\n' ORDER BY c.id) FROM comments c WHERE c.item = i.id AND c.removed_at IS NULL), '') AS text
		FROM items i`
	documentsAfter = documentColumns + ` WHERE (i.project, i.no) > ($1, $2) ORDER BY i.project, i.no LIMIT $3`
	documentsNamed = documentColumns + ` JOIN unnest($1::text[], $2::bigint[]) AS k(project, no) ON k.project = i.project AND k.no = i.no`
)

// DocumentsAfter is a page of all items, by key, after one; none is the end.
func DocumentsAfter(ctx context.Context, d *db.DB, after string, limit int) ([]Document, error) {
	project, no, _ := parseKey(after)
	var page []Document
	if err := d.SelectContext(ctx, &page, documentsAfter, project, no, limit); err != nil {
		return nil, fmt.Errorf("read the items after %s: %w", after, err)
	}
	return page, nil
}

// DocumentsNamed are these items as they are now; what is missing is gone.
func DocumentsNamed(ctx context.Context, d *db.DB, keys []string) ([]Document, error) {
	projects, numbers := splitKeys(keys)
	var list []Document
	if err := d.SelectContext(ctx, &list, documentsNamed, projects, numbers); err != nil {
		return nil, fmt.Errorf("read %d items: %w", len(keys), err)
	}
	return list, nil
}

func splitKeys(keys []string) (pq.StringArray, pq.Int64Array) {
	projects, numbers := pq.StringArray{}, pq.Int64Array{}
	for _, key := range keys {
		if project, no, ok := parseKey(key); ok {
			projects, numbers = append(projects, project), append(numbers, no)
		}
	}
	return projects, numbers
}

// DocumentsMoved are the keys of the items a row of the log touches.
func DocumentsMoved(row changes.Change) []string {
	if key, ok := strings.CutPrefix(row.Object, "item:"); ok {
		return []string{key}
	}
	return nil
}
