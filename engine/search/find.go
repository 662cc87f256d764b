package search

import (
	"container/heap"
	"math"
	"slices"
	"strings"
)

// shelves are all documents as one search sees them. They are never changed.
type shelves struct {
	all         []shelf
	living      int
	title, text float64 // words of all the living
	position    int64   // of the log, up to which everything is in
	mark        string  // of the row there; see markOf
	built       bool    // nothing older is still to come
	next        chan struct{}
}

// candidate is a document found, before it is known whether it is among the
// best.
type candidate struct {
	rank    uint8
	score   float32
	updated int64
	shelf   int
	doc     uint32
}

// best are the best candidates so far, the worst of them on top.
type best struct {
	shelves *shelves
	limit   int
	all     []candidate
	rank    uint8 // of the worst, once there are as many as asked for
	score   float32
}

// compare puts the better first: by rank, score, then what changed last, then
// by id, so that the order never depends on how the index came to be.
func (b *best) compare(x, y candidate) int {
	switch {
	case x.rank != y.rank:
		return int(y.rank) - int(x.rank)
	case x.score != y.score:
		if x.score > y.score {
			return -1
		}
		return 1
	case x.updated != y.updated:
		if x.updated > y.updated {
			return -1
		}
		return 1
	}
	return strings.Compare(b.id(x), b.id(y))
}

func (b *best) id(c candidate) string { return string(b.shelves.all[c.shelf].ids.at(int(c.doc))) }

func (b *best) Len() int           { return len(b.all) }
func (b *best) Less(i, j int) bool { return b.compare(b.all[i], b.all[j]) > 0 }
func (b *best) Swap(i, j int)      { b.all[i], b.all[j] = b.all[j], b.all[i] }
func (b *best) Push(x any)         { b.all = append(b.all, x.(candidate)) }
func (b *best) Pop() any {
	last := b.all[len(b.all)-1]
	b.all = b.all[:len(b.all)-1]
	return last
}

func (b *best) offer(c candidate) {
	switch {
	case len(b.all) < b.limit:
		heap.Push(b, c)
	case b.limit > 0 && b.compare(c, b.all[0]) < 0:
		b.all[0] = c
		heap.Fix(b, 0)
	}
	if len(b.all) == b.limit && b.limit > 0 {
		b.rank, b.score = b.all[0].rank, b.all[0].score
	}
}

// find answers the best documents of a question, and how many there are.
func (s *shelves) find(q Query, f Filter, limit int, work *scratch) ([]Hit, int) {
	c := s.corpus()
	units := c.telling(s.units(q.words, c))
	not := s.units(q.not, c)
	phrases := slices.DeleteFunc(slices.Clone(q.phrases), func(stems []string) bool {
		return !slices.ContainsFunc(stems, func(stem string) bool { return !c.common(s.unit(stem, "").documents) })
	})
	top, total := &best{shelves: s, limit: limit}, 0
	for i, sh := range s.all {
		work.fit(sh.len())
		scoring := newScorer(work, c)
		for _, u := range units {
			scoring.add(sh, u.terms[i], u.rarity)
		}
		work.rankKeys(sh, q)
		for _, u := range not {
			for _, term := range u.terms[i] {
				for p := sh.entry(term); p.step(); {
					work.drop(p.doc)
				}
			}
		}
		for _, stems := range q.never {
			work.dropPhrase(sh, stems)
		}
		total += work.pick(sh, i, f, newPhrases(sh, phrases), top)
	}
	slices.SortFunc(top.all, top.compare)
	hits := make([]Hit, len(top.all))
	for i, c := range top.all {
		hits[i] = Hit{ID: top.id(c), Score: float64(c.score), First: c.rank != 0}
	}
	return hits, total
}

// rankKeys marks the documents whose keys were asked for.
func (s *scratch) rankKeys(sh shelf, q Query) {
	for _, k := range q.keys {
		for i := sh.keys.seek(k); i < sh.keys.len() && string(sh.keys.at(i)) == k; i++ {
			s.mark(sh.keyDocs[i], keyed)
		}
	}
	if q.key == "" {
		return
	}
	from, behind := sh.keys.span(q.key)
	for _, doc := range sh.keyDocs[from:behind] {
		s.mark(doc, keyBegun)
	}
}

// drop takes a document out again.
func (s *scratch) drop(doc uint32) { s.score[doc], s.rank[doc] = 0, 0 }

// dropPhrase takes out every document with a phrase.
func (s *scratch) dropPhrase(sh shelf, stems []string) {
	never := newPhrase(sh, stems)
	if never == nil {
		return
	}
	for p := sh.entry(sh.terms.find(stems[0])); p.step(); {
		if never.in(p.doc) {
			s.drop(p.doc)
		}
	}
}

// pick offers what was found on one shelf and is asked for, counts it, and
// leaves the memory clean. Whether a document has a phrase, which takes long
// to tell, is asked only of those that would be among the best with it.
func (s *scratch) pick(sh shelf, number int, f Filter, asked *phrases, top *best) int {
	through := newSieve(sh, f)
	var wanted [1 << block]uint8
	total := 0
	for from, behind := range s.touched(sh.len()) {
		scores, ranks, wanted := s.score[from:behind], s.rank[from:behind], wanted[:behind-from]
		through.block(from, wanted)
		rank, least := top.rank, top.score
		for i, score := range scores {
			// Whether it was found is not to be guessed, so this does not branch.
			found := math.Float32bits(score) | uint32(ranks[i])
			here := uint8((found|-found)>>31) & wanted[i]
			total += int(here)
			// Most are none of the best, whatever else they are.
			doc, highest := uint32(from+i), ranks[i]
			if doc >= asked.next {
				highest |= phrased
			}
			if score < least && highest <= rank || highest < rank || here == 0 {
				continue
			}
			c := candidate{ranks[i], score, sh.updated[doc], number, doc}
			if asked.in(doc) {
				c.rank |= phrased
			}
			if c.rank > rank || c.rank == rank && score >= least {
				top.offer(c)
				rank, least = top.rank, top.score
			}
		}
		clear(scores)
		clear(ranks)
	}
	clear(s.dirty[:sh.len()>>block+1])
	return total
}

// sieve lets through what a filter asks for and is not gone.
type sieve struct {
	shelf
	columns []*column
	allowed [][]uint8 // by column and name: 1 or 0
}

func newSieve(sh shelf, f Filter) sieve {
	s := sieve{shelf: sh}
	for _, c := range []struct {
		column *column
		only   []string
	}{{&sh.container, f.Containers}, {&sh.status, f.Statuses}, {&sh.kind, f.Kinds}} {
		if c.only != nil {
			s.columns = append(s.columns, c.column)
			s.allowed = append(s.allowed, c.column.only(c.only))
		}
	}
	return s
}

// block notes for some documents in a row whether they are let through: 1 or 0.
func (s *sieve) block(from int, wanted []uint8) {
	for i := range wanted {
		wanted[i] = 1
	}
	for n, c := range s.columns {
		allowed := s.allowed[n]
		for i, name := range c.of[from : from+len(wanted)] {
			wanted[i] &= allowed[name]
		}
	}
	if s.dead != nil {
		for i := range wanted {
			wanted[i] &^= uint8(s.dead[(from+i)/64] >> ((from + i) % 64) & 1)
		}
	}
}
