package search

import (
	"iter"
	"math"
	"slices"
)

// How much the parts of BM25 count, tuned on two public sets of questions with
// judged answers (see the benchmark): k1 is how soon a word that comes again
// counts no more, b how much a long text is held against it.
const (
	k1         = 1.5
	titleCount = 2.5 // a word of the title counts as that many of the text
	titleB     = 0.7
	textB      = 0.75
	begunCount = 0.5 // words that only begin as asked, against the whole word
)

// What puts a document before others whatever its score: that it has the
// phrase, begins with the key, or is the one of the key.
const (
	phrased = 1 << iota
	keyBegun
	keyed
)

// corpus is what BM25 must know of all documents.
type corpus struct {
	count       float64
	title, text float64 // words of the average one
}

func (s *shelves) corpus() corpus {
	c := corpus{count: float64(s.living)}
	if s.living > 0 {
		c.title, c.text = max(s.title/c.count, 1), max(s.text/c.count, 1)
	}
	return c
}

// rarity is how much a word counts that so many documents have.
func (c corpus) rarity(documents int) float32 {
	n := min(float64(documents), c.count)
	return float32(math.Log(1 + (c.count-n+0.5)/(n+0.5)))
}

// norms are by how much one occurrence counts in a field of each length.
func norms(count, b, average float64) (all [256]float32) {
	for i := range all {
		all[i] = float32(count / (1 - b + b*float64(long[i])/average))
	}
	return all
}

// unit is one word of a question, as it is scored: all the terms it stands for
// count as one.
type unit struct {
	terms     [][]int // by shelf
	documents int     // that have one, those of several terms counted for each
	rarity    float32
}

// units finds the terms of a question on every shelf. A word that is only
// begun is two: itself, and what it begins. A whole that nobody has is its
// parts.
func (s *shelves) units(words []asked, c corpus) []unit {
	var all []unit
	for _, w := range words {
		own := s.unit(w.stem, "")
		own.rarity = c.rarity(own.documents)
		all = append(all, own)
		there := len(w.parts) == 0 || s.has(own) || s.keyed(w.key)
		if w.prefix != "" {
			begun := s.unit(w.stem, w.prefix)
			begun.rarity = c.rarity(begun.documents) * begunCount
			all = append(all, begun)
			there = there || s.has(begun)
		}
		if !there {
			all = append(all, s.units(w.parts, c)...)
		}
	}
	return slices.DeleteFunc(all, func(u unit) bool { return u.documents == 0 })
}

// has tells whether any document has one of the terms, and is not gone.
func (s *shelves) has(u unit) bool {
	for i, sh := range s.all {
		for _, term := range u.terms[i] {
			for p := sh.entry(term); p.step(); {
				if !sh.isDead(p.doc) {
					return true
				}
			}
		}
	}
	return false
}

// keyed tells whether any document has a key, and is not gone.
func (s *shelves) keyed(k string) bool {
	for _, sh := range s.all {
		for i := sh.keys.seek(k); i < sh.keys.len() && string(sh.keys.at(i)) == k; i++ {
			if !sh.isDead(sh.keyDocs[i]) {
				return true
			}
		}
	}
	return false
}

// telling leaves out the words that more than half of all documents have, if
// there are others: they say nothing, in whatever language, and cost most.
func (c corpus) telling(all []unit) []unit {
	if !slices.ContainsFunc(all, func(u unit) bool { return !c.common(u.documents) }) {
		return all
	}
	return slices.DeleteFunc(all, func(u unit) bool { return c.common(u.documents) })
}

// common tells whether a word says nothing. Where there is little yet, any may
// be in most documents.
func (c corpus) common(documents int) bool {
	return c.count >= 1000 && float64(documents) > c.count*0.5
}

// unit finds the one term, or those that a prefix begins without it.
func (s *shelves) unit(stem, prefix string) unit {
	u := unit{terms: make([][]int, len(s.all))}
	for i, shelf := range s.all {
		if prefix != "" {
			u.terms[i] = shelf.begun(prefix, stem)
		} else if term := shelf.terms.find(stem); term >= 0 {
			u.terms[i] = []int{term}
		}
		for _, term := range u.terms[i] {
			u.documents += int(shelf.entry(term).count)
		}
	}
	return u
}

// scratch is the memory one search works in.
type scratch struct {
	score  []float32 // by document
	sum    []float32 // of one unit with several terms
	rank   []uint8   // phrased, keyed
	dirty  []bool    // by block of documents: something was written
	ranked bool
}

// block is how many documents, as a power of two, are looked at together.
const block = 8

func (s *scratch) fit(n int) {
	if len(s.score) < n {
		n += n / 8
		s.score, s.sum, s.rank = make([]float32, n), make([]float32, n), make([]uint8, n)
		s.dirty = make([]bool, n>>block+1)
	}
	s.ranked = false
}

// scorer scores the documents of one shelf after the other.
type scorer struct {
	*scratch
	titles, texts [256]float32
}

func newScorer(s *scratch, c corpus) *scorer {
	return &scorer{
		scratch: s,
		titles:  norms(titleCount, titleB, max(c.title, 1)), texts: norms(1, textB, max(c.text, 1)),
	}
}

// add adds what one unit gives to each document of a shelf.
func (s *scorer) add(sh shelf, terms []int, rarity float32) {
	switch len(terms) {
	case 0:
	case 1:
		s.one(sh, sh.entry(terms[0]), rarity)
	default:
		s.several(sh, terms, rarity)
	}
}

// one is the inner loop of every search.
func (s *scorer) one(sh shelf, p postings, rarity float32) {
	var plain [256]float32 // what once in a text of each length gives
	for i, w := range s.texts {
		plain[i] = rarity * w / (k1 + w)
	}
	score, dirty, titles, texts := s.score, s.dirty, sh.titles, sh.texts
	b, doc := p.bytes, uint32(0)
	for i := 0; i < len(b); { // what seek does, for each document of a common word
		v := uint32(b[i])
		if i++; v >= 0x80 {
			v, i = number(b, i-1)
		}
		doc += v >> 1
		dirty[doc>>block] = true
		if v&1 == 1 {
			score[doc] += plain[texts[doc]]
			continue
		}
		title, text, next := often(b, i)
		i = next
		w := float32(title)*s.titles[titles[doc]] + float32(text)*s.texts[texts[doc]]
		score[doc] += rarity * w / (k1 + w)
	}
}

func (s *scorer) several(sh shelf, terms []int, rarity float32) {
	for _, term := range terms {
		p := sh.entry(term)
		for p.step() {
			s.sum[p.doc] += float32(p.title)*s.titles[sh.titles[p.doc]] + float32(p.text)*s.texts[sh.texts[p.doc]]
			s.dirty[p.doc>>block] = true
		}
	}
	for from, behind := range s.touched(sh.len()) {
		for doc := from; doc < behind; doc++ {
			if w := s.sum[doc]; w > 0 {
				s.score[doc] += rarity * w / (k1 + w)
			}
		}
		clear(s.sum[from:behind])
	}
}

// touched are the blocks of documents written to: from, and behind.
func (s *scratch) touched(count int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for b := 0; b<<block < count; b++ {
			if s.dirty[b] && !yield(b<<block, min(count, (b+1)<<block)) {
				return
			}
		}
	}
}

// mark ranks a document before others.
func (s *scratch) mark(doc uint32, rank uint8) {
	s.rank[doc] |= rank
	s.dirty[doc>>block] = true
	s.ranked = true
}
