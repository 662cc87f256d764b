package search

import (
	"context"
	"fmt"
	"slices"
	"time"

	"crewlet/engine/changes"
)

const (
	saveEvery = 5 * time.Minute
	again     = time.Second // after the database did not answer
	chunk     = 500         // documents that are read anew at once
)

// Hear takes rows of the log. It does not block: the documents they touch are
// read anew behind.
func (x *Index) Hear(rows []changes.Change) {
	if len(rows) == 0 {
		return
	}
	x.mu.Lock()
	for _, row := range rows {
		for i, source := range x.o.Sources {
			for _, id := range source.Moved(row) {
				x.pending[i][id] = true
			}
		}
	}
	if last := rows[len(rows)-1]; last.Position > x.heard {
		x.heard, x.mark = last.Position, markOf(last)
	}
	x.mu.Unlock()
	select {
	case x.wake <- struct{}{}:
	default:
	}
}

// markOf tells a row of the log from every other, so that a file is not taken
// for one of another company, or of a database that was restored since.
func markOf(c changes.Change) string {
	return fmt.Sprintf("%d %d %s %s %s", c.Position, c.At.UnixMicro(), c.Actor, c.Kind, c.Object)
}

// follow is the one goroutine that writes. What takes long (merging, writing
// the file) is done beside it, from shelves that do not change.
func (x *Index) follow(ctx context.Context) {
	tick := time.NewTicker(saveEvery)
	defer tick.Stop()
	x.until(ctx, "search_index_not_built", x.fill)
	x.save(ctx)
	for ctx.Err() == nil {
		x.until(ctx, "search_index_behind", x.apply)
		x.merge()
		select {
		case <-ctx.Done():
		case <-x.wake:
		case m := <-x.merged:
			x.replace(m)
		case x.saved = <-x.kept:
			x.saving = false
		case <-tick.C:
			x.save(ctx)
		}
	}
	if x.merging {
		<-x.merged
	}
	if x.saving {
		x.saved = <-x.kept
	}
}

// save begins to write the file, where something changed since it was written.
func (x *Index) save(ctx context.Context) {
	now := x.now.Load()
	if x.saving || x.o.File == "" || !now.built || now == x.saved {
		return
	}
	x.saving = true
	x.running.Go(func() { x.kept <- x.keep(ctx, now, x.saved) })
}

// until does a thing again until it succeeds or ctx ends.
func (x *Index) until(ctx context.Context, event string, do func(context.Context) error) {
	for ctx.Err() == nil {
		err := do(ctx)
		if err == nil || ctx.Err() != nil {
			return
		}
		x.o.Log.WarnContext(ctx, event, "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(again):
		}
	}
}

// apply reads anew what was heard of. The position moves when all of it is in.
func (x *Index) apply(ctx context.Context) error {
	x.mu.Lock()
	position, mark, pending := x.heard, x.mark, x.pending
	x.pending = make([]map[string]bool, len(pending))
	for i := range pending {
		x.pending[i] = map[string]bool{}
	}
	x.mu.Unlock()
	for i, source := range x.o.Sources {
		ids := make([]string, 0, len(pending[i]))
		for id := range pending[i] {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		for some := range slices.Chunk(ids, chunk) {
			docs, err := source.Some(ctx, some)
			if err != nil {
				x.putBack(pending)
				return fmt.Errorf("read documents anew: %w", err)
			}
			x.put(some, docs)
			for _, id := range some {
				delete(pending[i], id)
			}
		}
	}
	if now := x.now.Load(); position > now.position {
		next := *now
		next.position, next.mark = position, mark
		x.publish(&next)
	}
	return nil
}

// putBack keeps what could not be read for the next time.
func (x *Index) putBack(pending []map[string]bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := range pending {
		for id := range pending[i] {
			x.pending[i][id] = true
		}
	}
}

// put takes documents of some ids in, and what was there of them before out.
func (x *Index) put(ids []string, docs []Doc) {
	next := *x.now.Load()
	next.all = slices.Clone(next.all)
	for i, s := range next.all {
		var gone []uint32
		for _, id := range ids {
			if doc := s.find(id); doc >= 0 && !s.isDead(uint32(doc)) {
				gone = append(gone, uint32(doc))
			}
		}
		next.all[i] = s.without(gone)
	}
	b := newBuilder()
	seen := map[string]bool{}
	for _, d := range docs {
		if !d.Gone && !seen[d.ID] {
			b.add(d)
			seen[d.ID] = true
		}
	}
	next.all = append(next.all, shelved(b.freeze()))
	x.publish(&next)
}

// publish lets searches see the shelves from now on.
func (x *Index) publish(next *shelves) {
	next.all = slices.DeleteFunc(slices.Clone(next.all), func(s shelf) bool { return s.living() == 0 })
	next.living, next.title, next.text = 0, 0, 0
	for _, s := range next.all {
		next.living += s.living()
		next.title += s.title
		next.text += s.text
	}
	next.next = make(chan struct{})
	before := x.now.Swap(next)
	close(before.next)
}
