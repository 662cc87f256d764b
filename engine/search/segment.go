package search

import "math"

// segment is an index of some documents that is never written to again: what
// changed is in a later segment, and what is gone is marked beside it (see
// shelf). Documents are numbered from zero.
type segment struct {
	ids     table    // by document
	slots   []uint32 // a hash of ids: document + 1, or 0
	updated []int64  // by document
	titles  []byte   // words of the title, by document; see short
	texts   []byte   // words of the text

	container, status, kind column

	keys    table // sorted, folded; a document may have several
	keyDocs []uint32

	terms    table    // stems, sorted
	starts   []uint32 // of each term's entry in entries
	entries  []byte   // see posting.go
	variants table    // words that are not their own stem, sorted
	stems    []uint32 // the term of each
}

func (s *segment) len() int { return s.ids.len() }

// find is the number of a document, or -1.
func (s *segment) find(id string) int {
	if len(s.slots) == 0 {
		return -1
	}
	mask := uint32(len(s.slots) - 1)
	for i := hash([]byte(id)) & mask; s.slots[i] != 0; i = (i + 1) & mask {
		if doc := int(s.slots[i] - 1); string(s.ids.at(doc)) == id {
			return doc
		}
	}
	return -1
}

// fileIDs makes the hash of ids, at most half full.
func (s *segment) fileIDs() {
	size := 2
	for size < 2*s.len() {
		size *= 2
	}
	s.slots = make([]uint32, size)
	for doc := range s.len() {
		i := hash(s.ids.at(doc)) & uint32(size-1)
		for s.slots[i] != 0 {
			i = (i + 1) & uint32(size-1)
		}
		s.slots[i] = uint32(doc + 1)
	}
}

// hash is FNV-1a, the same in every process.
func hash(b []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

// entry is the list of a term, by its number.
func (s *segment) entry(term int) postings {
	if term+1 < len(s.starts) {
		return open(s.entries[s.starts[term]:s.starts[term+1]])
	}
	return open(s.entries[s.starts[term]:])
}

// size is about how many bytes of memory the segment takes.
func (s *segment) size() int {
	n := len(s.titles) + len(s.texts) + len(s.entries) + 8*len(s.updated)
	for _, t := range []*table{&s.ids, &s.keys, &s.terms, &s.variants} {
		n += len(t.blob) + 4*len(t.ends)
	}
	return n + 4*(len(s.slots)+len(s.keyDocs)+len(s.starts)+len(s.stems)+3*s.len())
}

// column is one value of every document, out of a few.
type column struct {
	names table
	of    []uint32
}

func (c *column) add(known map[string]uint32, name string) {
	n, ok := known[name]
	if !ok {
		n = uint32(c.names.len())
		known[name] = n
		c.names.add([]byte(name))
	}
	c.of = append(c.of, n)
}

// name is the value of a document.
func (c *column) name(doc int) string { return string(c.names.at(int(c.of[doc]))) }

// only tells for each name whether it is allowed: 1 or 0.
func (c *column) only(allowed []string) []uint8 {
	set := make(map[string]uint8, len(allowed))
	for _, name := range allowed {
		set[name] = 1
	}
	out := make([]uint8, c.names.len())
	for i := range out {
		out[i] = set[string(c.names.at(i))]
	}
	return out
}

// short writes a number of words in one byte: exactly up to 127, then within
// 9 %. BM25 needs no more.
func short(n int) byte {
	if n < 128 {
		return byte(n)
	}
	return byte(min(255, 128+int(math.Round(math.Log2(float64(n)/128)*8))))
}

// long is what short wrote, for each byte.
var long = func() (all [256]float32) {
	for b := range all {
		all[b] = float32(b)
		if b >= 128 {
			all[b] = float32(math.Round(128 * math.Exp2(float64(b-128)/8)))
		}
	}
	return all
}()
