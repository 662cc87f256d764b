package search

import (
	"math"
	"slices"
)

// phrase finds the documents of a shelf in which some stems follow each other.
// It is asked of documents in order, once of each.
type phrase struct {
	words       []postings
	rarest      []int // the words, the rarest first, which tells of most documents
	first, next []uint32
}

// newPhrase is nil where one of the stems is in no document.
func newPhrase(sh shelf, stems []string) *phrase {
	var p phrase
	for i, stem := range stems {
		term := sh.terms.find(stem)
		if term < 0 {
			return nil
		}
		word := sh.entry(term)
		word.step()
		p.words, p.rarest = append(p.words, word), append(p.rarest, i)
	}
	slices.SortStableFunc(p.rarest, func(x, y int) int { return int(p.words[x].count) - int(p.words[y].count) })
	return &p
}

// phrases are those of a question on one shelf, asked of documents in order.
// Those that have one are few; all before the next that may is passed by.
type phrases struct {
	all  []*phrase
	next uint32
}

// nowhere is behind every document.
const nowhere = math.MaxUint32

func newPhrases(sh shelf, asked [][]string) *phrases {
	p := &phrases{}
	for _, stems := range asked {
		if one := newPhrase(sh, stems); one != nil {
			p.all = append(p.all, one)
		}
	}
	p.next = p.following(0)
	return p
}

// following is the first document from one on that may have a phrase, as far
// as is known without looking for it.
func (p *phrases) following(doc uint32) uint32 {
	next := uint32(nowhere)
	for _, one := range p.all {
		if word := &one.words[one.rarest[0]]; word.bytes != nil {
			next = min(next, max(word.doc, doc))
		}
	}
	return next
}

// in tells whether a document has one of the phrases.
func (p *phrases) in(doc uint32) bool {
	if doc < p.next {
		return false
	}
	found := slices.ContainsFunc(p.all, func(one *phrase) bool { return doc >= one.words[one.rarest[0]].doc && one.in(doc) })
	p.next = p.following(doc + 1)
	return found
}

// in tells whether a document has the phrase.
func (p *phrase) in(doc uint32) bool {
	for _, i := range p.rarest {
		word := &p.words[i]
		if word.doc < doc && !word.seek(doc) || word.doc != doc {
			return false
		}
	}
	p.first = p.words[0].where(p.first[:0])
	for i := range p.words[1:] {
		p.next = p.words[i+1].where(p.next[:0])
		p.first = followed(p.first, p.next, uint32(i+1))
	}
	return len(p.first) > 0
}

// followed keeps the places that have a later one so far behind. Both are in
// order.
func followed(places, later []uint32, by uint32) []uint32 {
	kept, i := places[:0], 0
	for _, at := range places {
		for i < len(later) && later[i] < at+by {
			i++
		}
		if i < len(later) && later[i] == at+by {
			kept = append(kept, at)
		}
	}
	return kept
}

// begun are the terms of the words that begin so, but for one, in order.
func (s *segment) begun(prefix, but string) []int {
	var all []int
	from, behind := s.terms.span(prefix)
	for term := from; term < behind; term++ {
		all = append(all, term)
	}
	from, behind = s.variants.span(prefix)
	for _, term := range s.stems[from:behind] {
		all = append(all, int(term))
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if term := s.terms.find(but); term >= 0 {
		all = slices.DeleteFunc(all, func(t int) bool { return t == term })
	}
	return all
}
