package search

import (
	"context"
	"time"
)

// patience is how long a search waits for the position it was asked for.
const patience = 200 * time.Millisecond

// Search answers the best documents of a question, at most limit of them, and
// how many there are. It waits up to 200 ms until the index stands at
// minPosition. It fails only where ctx ends.
func (x *Index) Search(ctx context.Context, q Query, f Filter, limit int, minPosition int64) (Result, error) {
	now, err := x.reach(ctx, minPosition)
	if err != nil {
		return Result{}, err
	}
	out := Result{AsOf: now.position, Behind: !now.built || now.position < minPosition}
	if q.Empty() {
		return out, nil
	}
	var work *scratch
	select {
	case <-ctx.Done():
		return Result{}, ctx.Err()
	case work = <-x.work:
	}
	clean := false
	defer func() {
		if !clean { // it broke off in the middle, and left its marks
			work = &scratch{}
		}
		x.work <- work
	}()
	out.Hits, out.Total = now.find(q, f, max(limit, 0), work)
	clean = true
	return out, nil
}

// reach waits for a position, within patience.
func (x *Index) reach(ctx context.Context, position int64) (*shelves, error) {
	now := x.now.Load()
	if now.position >= position || !now.built {
		return now, ctx.Err()
	}
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for now.position < position {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-limit.C:
			return x.now.Load(), nil
		case <-now.next:
			now = x.now.Load()
		}
	}
	return now, nil
}
