package search

// shelf is a segment with the documents of it that count no more. A shelf is
// never changed: without takes a copy, so that whoever reads one reads on.
type shelf struct {
	*segment
	dead  []uint64 // a bit for each document; nil while none is
	gone  int      // how many bits are set
	title float64  // words in the titles of the living
	text  float64
}

// shelved puts a segment on a shelf, with what is gone of it.
func shelved(s *segment, gone ...uint32) shelf {
	out := shelf{segment: s}
	for doc := range s.len() {
		out.title += float64(long[s.titles[doc]])
		out.text += float64(long[s.texts[doc]])
	}
	return out.without(gone)
}

func (s shelf) isDead(doc uint32) bool {
	return s.dead != nil && s.dead[doc/64]&(1<<(doc%64)) != 0
}

// without marks documents as gone.
func (s shelf) without(docs []uint32) shelf {
	if len(docs) == 0 {
		return s
	}
	dead := make([]uint64, (s.len()+63)/64)
	copy(dead, s.dead)
	s.dead = dead
	for _, doc := range docs {
		if s.isDead(doc) {
			continue
		}
		dead[doc/64] |= 1 << (doc % 64)
		s.gone++
		s.title -= float64(long[s.titles[doc]])
		s.text -= float64(long[s.texts[doc]])
	}
	return s
}

// living is how many documents count.
func (s shelf) living() int { return s.len() - s.gone }

// lost are the documents that are gone here and were not in an earlier state.
func (s shelf) lost(earlier shelf) []uint32 {
	var docs []uint32
	for doc := range uint32(s.len()) {
		if s.isDead(doc) && !earlier.isDead(doc) {
			docs = append(docs, doc)
		}
	}
	return docs
}
