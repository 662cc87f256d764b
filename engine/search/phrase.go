package search

import "slices"

// phrase calls found for each document of a shelf in which these stems follow
// each other.
func phrase(sh shelf, stems []string, found func(doc uint32)) {
	all := make([]postings, len(stems))
	for i, stem := range stems {
		term := sh.terms.find(stem)
		if term < 0 {
			return
		}
		all[i] = sh.entry(term)
		if !all[i].step() {
			return
		}
	}
	var first, next []uint32
	for {
		doc, ok := meet(all)
		if !ok {
			return
		}
		first = all[0].where(first[:0])
		for i := 1; i < len(all); i++ {
			next = all[i].where(next[:0])
			first = followed(first, next, uint32(i))
		}
		if len(first) > 0 {
			found(doc)
		}
		for i := range all {
			if !all[i].step() {
				return
			}
		}
	}
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

// meet moves all lists to the next document that each of them has.
func meet(all []postings) (uint32, bool) {
	doc := all[0].doc
	for i := 0; i < len(all); i++ {
		if all[i].doc < doc && !all[i].seek(doc) {
			return 0, false
		}
		if all[i].doc > doc {
			doc, i = all[i].doc, -1 // again, from the first
		}
	}
	return doc, true
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
