package engine

import (
	"context"
	"log/slog"

	"crewlet/db"
	"crewlet/engine/changes"
	"crewlet/engine/search"
	"crewlet/engine/tracker"
)

// snippet is how much of a text is shown of what was found, in bytes.
const snippet = 200

// newIndex is the keyword index over all that can be found by words. file is
// where it is kept between starts; "" for not at all.
func newIndex(d *db.DB, file string, log *slog.Logger) *search.Index {
	return search.New(search.Options{
		Sources: []search.Source{itemSource(d)}, File: file, Log: log,
		After: func(ctx context.Context, position int64, limit int) ([]changes.Change, error) {
			return changes.After(ctx, d, position, limit)
		},
		Head: func(ctx context.Context) (int64, error) { return changes.Head(ctx, d) },
	})
}

func itemSource(d *db.DB) search.Source {
	told := func(list []tracker.Document, err error) ([]search.Doc, error) {
		docs := make([]search.Doc, 0, len(list))
		for _, it := range list {
			docs = append(docs, search.Doc{
				ID: it.Key(), Keys: []string{it.Key()}, Title: it.Title, Text: it.Text, Kind: "item",
				Container: it.Project, Status: it.Status, Updated: it.Updated,
			})
		}
		return docs, err
	}
	return search.Source{
		Stamp: tracker.DocumentStamp,
		All: func(ctx context.Context, after string, limit int) ([]search.Doc, error) {
			return told(tracker.DocumentsAfter(ctx, d, after, limit))
		},
		Some: func(ctx context.Context, keys []string) ([]search.Doc, error) {
			return told(tracker.DocumentsNamed(ctx, d, keys))
		},
		Moved: tracker.DocumentsMoved,
	}
}

// findItems asks the index for items.
func findItems(x *search.Index) func(context.Context, tracker.Words) (tracker.Found, error) {
	return func(ctx context.Context, asked tracker.Words) (tracker.Found, error) {
		q := search.Parse(asked.Query, false)
		filter := search.Filter{Containers: asked.Projects, Kinds: []string{"item"}}
		if asked.Open {
			filter.Statuses = tracker.OpenStatuses()
		}
		out, err := x.Search(ctx, q, filter, asked.Limit, asked.Position)
		if err != nil {
			return tracker.Found{}, err
		}
		found := tracker.Found{Total: out.Total, Behind: out.Behind, Snippet: func(text string) (string, [][2]int) {
			cut := q.Snippet(text, snippet)
			return cut.Text, cut.Marks
		}}
		for _, hit := range out.Hits {
			found.Keys = append(found.Keys, hit.ID)
		}
		return found, nil
	}
}
