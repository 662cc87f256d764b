package search

import "slices"

const (
	factor  = 8       // that many segments of about the same size become one
	largest = 3 << 30 // bytes of lists in one segment, which has 32-bit offsets
)

// merging is a merge on its way: of what, and what came of it.
type merging struct {
	from     []shelf
	into     *segment
	renumber [][]uint32
}

// merge begins the next merge there is to do, behind; one at a time.
func (x *Index) merge() {
	from := due(x.now.Load().all)
	if x.merging || len(from) == 0 {
		return
	}
	x.merging = true
	x.running.Go(func() {
		into, renumber := merge(from)
		x.merged <- merging{from, into, renumber}
	})
}

// replace puts what was merged where its parts were, without what went in the
// meantime.
func (x *Index) replace(m merging) {
	x.merging = false
	next := *x.now.Load()
	var gone []uint32
	next.all = slices.DeleteFunc(slices.Clone(next.all), func(s shelf) bool {
		i := slices.IndexFunc(m.from, func(old shelf) bool { return old.segment == s.segment })
		if i < 0 {
			return false
		}
		for _, doc := range s.lost(m.from[i]) {
			gone = append(gone, m.renumber[i][doc])
		}
		m.from[i].segment = nil
		return true
	})
	// A part that is on no shelf any more went as a whole.
	for i, old := range m.from {
		if old.segment == nil {
			continue
		}
		for doc := range m.renumber[i] {
			if n := m.renumber[i][doc]; n != none {
				gone = append(gone, n)
			}
		}
	}
	next.all = append(next.all, shelved(m.into, gone...))
	x.publish(&next)
}

// due are the shelves to merge next: enough of about one size, or one of which
// more than a quarter is gone.
func due(all []shelf) []shelf {
	levels := map[int][]shelf{}
	for _, s := range all {
		if s.gone*4 > s.len() {
			return []shelf{s}
		}
		level := 0
		for n := s.living(); n >= 8*factor; n /= factor {
			level++
		}
		levels[level] = append(levels[level], s)
	}
	for level := range 16 {
		size, some := 0, []shelf(nil)
		for _, s := range levels[level] {
			if size += len(s.entries); size < largest {
				some = append(some, s)
			}
		}
		if len(some) >= factor {
			return some[:min(len(some), 2*factor)]
		}
	}
	return nil
}
