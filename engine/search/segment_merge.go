package search

// none is the number of a document that is not in the merged segment.
const none = ^uint32(0)

// merge makes one segment of several, leaving out what is gone. It answers
// also what number each document has now, by shelf and old number.
func merge(shelves []shelf) (*segment, [][]uint32) {
	out := &segment{}
	renumber := make([][]uint32, len(shelves))
	next := uint32(0)
	for i, s := range shelves {
		renumber[i] = make([]uint32, s.len())
		for doc := range uint32(s.len()) {
			if s.isDead(doc) {
				renumber[i][doc] = none
				continue
			}
			renumber[i][doc] = next
			next++
		}
	}
	mergeDocuments(out, shelves, int(next))
	stems := mergeTerms(out, shelves, renumber)
	mergeVariants(out, shelves, stems)
	mergeKeys(out, shelves, renumber)
	out.fileIDs()
	return out, renumber
}

func mergeDocuments(out *segment, shelves []shelf, count int) {
	out.updated = make([]int64, 0, count)
	out.titles, out.texts = make([]byte, 0, count), make([]byte, 0, count)
	containers, statuses, kinds := map[string]uint32{}, map[string]uint32{}, map[string]uint32{}
	for _, s := range shelves {
		for doc := range s.len() {
			if s.isDead(uint32(doc)) {
				continue
			}
			out.ids.add(s.ids.at(doc))
			out.updated = append(out.updated, s.updated[doc])
			out.titles = append(out.titles, s.titles[doc])
			out.texts = append(out.texts, s.texts[doc])
			out.container.add(containers, s.container.name(doc))
			out.status.add(statuses, s.status.name(doc))
			out.kind.add(kinds, s.kind.name(doc))
		}
	}
}

// mergeTerms answers the new number of each term, by shelf and old number;
// none where no document has it any more.
func mergeTerms(out *segment, shelves []shelf, renumber [][]uint32) [][]uint32 {
	terms := make([]*table, len(shelves))
	numbers := make([][]uint32, len(shelves))
	size := 0
	for i, s := range shelves {
		terms[i] = &s.terms
		numbers[i] = make([]uint32, s.terms.len())
		size += len(s.entries)
	}
	out.entries = make([]byte, 0, size)
	var list writing
	together(terms, func(letters []byte, places []place) {
		list.reset()
		for _, p := range places {
			entry := shelves[p.table].entry(p.at)
			for entry.step() {
				if doc := renumber[p.table][entry.doc]; doc != none {
					list.copied(doc, &entry)
				}
			}
		}
		number := none
		if list.count > 0 {
			number = uint32(out.terms.len())
			out.terms.add(letters)
			out.starts = append(out.starts, uint32(len(out.entries)))
			out.entries = list.entry(out.entries)
		}
		for _, p := range places {
			numbers[p.table][p.at] = number
		}
	})
	return numbers
}

func mergeVariants(out *segment, shelves []shelf, numbers [][]uint32) {
	variants := make([]*table, len(shelves))
	for i, s := range shelves {
		variants[i] = &s.variants
	}
	together(variants, func(letters []byte, places []place) {
		for _, p := range places {
			if number := numbers[p.table][shelves[p.table].stems[p.at]]; number != none {
				out.variants.add(letters)
				out.stems = append(out.stems, number)
				return // the same word has the same stem everywhere
			}
		}
	})
}

func mergeKeys(out *segment, shelves []shelf, renumber [][]uint32) {
	keys := make([]*table, len(shelves))
	for i, s := range shelves {
		keys[i] = &s.keys
	}
	// A table may have a key twice: then it comes twice, one place at a time.
	together(keys, func(letters []byte, places []place) {
		for _, p := range places {
			if doc := renumber[p.table][shelves[p.table].keyDocs[p.at]]; doc != none {
				out.keys.add(letters)
				out.keyDocs = append(out.keyDocs, doc)
			}
		}
	})
}
