package search

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

const (
	page      = 1000    // documents that are read at once to build
	fullDocs  = 1 << 16 // a builder with that many is frozen
	fullWords = 1 << 23
)

// fill reads the index from its file and catches up, or else builds it.
func (x *Index) fill(ctx context.Context) error {
	if x.o.File != "" {
		kept, err := x.read()
		if errors.Is(err, fs.ErrNotExist) {
			// The first start there is: nothing to tell.
		} else if err != nil {
			x.o.Log.InfoContext(ctx, "search_index_not_read", "error", err)
		} else if same, err := x.follows(ctx, kept); err != nil {
			return err
		} else if same {
			kept.built = true
			x.publish(kept)
			x.saved = x.now.Load()
			return x.catchUp(ctx, kept.position)
		}
	}
	return x.build(ctx)
}

// follows tells whether the log goes on from where a file stands: the row
// there is the same.
func (x *Index) follows(ctx context.Context, kept *shelves) (bool, error) {
	mark, err := x.markAt(ctx, kept.position)
	return err == nil && mark != "" && mark == kept.mark, err
}

// markAt is the mark of the row at a position; "" where there is none.
func (x *Index) markAt(ctx context.Context, position int64) (string, error) {
	if position <= 0 {
		return "", nil
	}
	rows, err := x.o.After(ctx, position-1, 1)
	if err != nil || len(rows) == 0 || rows[0].Position != position {
		return "", err
	}
	return markOf(rows[0]), nil
}

// catchUp hears what the log says since.
func (x *Index) catchUp(ctx context.Context, position int64) error {
	for {
		rows, err := x.o.After(ctx, position, page)
		if err != nil || len(rows) == 0 {
			return err
		}
		x.Hear(rows)
		position = rows[len(rows)-1].Position
	}
}

// build reads everything. What changes meanwhile was heard of, and is read
// anew after.
func (x *Index) build(ctx context.Context) error {
	head, err := x.o.Head(ctx)
	if err != nil {
		return err
	}
	mark, err := x.markAt(ctx, head)
	if err != nil {
		return err
	}
	x.publish(&shelves{})
	b := newBuilder()
	for _, source := range x.o.Sources {
		if b, err = x.pages(ctx, source, b); err != nil {
			return err
		}
	}
	next := *x.now.Load()
	next.all = append(next.all, shelved(b.freeze()))
	next.position, next.mark, next.built = head, mark, true
	x.publish(&next)
	return nil
}

var errStands = errors.New("the pages of a source do not move on")

// pages reads one source to its end.
func (x *Index) pages(ctx context.Context, source Source, b *builder) (*builder, error) {
	for after := ""; ; {
		docs, err := source.All(ctx, after, page)
		if err != nil {
			return b, fmt.Errorf("read documents after %q: %w", after, err)
		}
		if len(docs) == 0 {
			return b, nil
		}
		if docs[len(docs)-1].ID == after {
			return b, errStands
		}
		after = docs[len(docs)-1].ID
		for _, d := range docs {
			if !d.Gone {
				b.add(d)
			}
		}
		if b.seg.len() >= fullDocs || b.total >= fullWords {
			next := *x.now.Load()
			next.all = append(next.all, shelved(b.freeze()))
			x.publish(&next)
			b = newBuilder()
		}
	}
}
