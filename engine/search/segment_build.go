package search

import (
	"slices"
	"strings"
)

// gap keeps a phrase from running out of the title into the text.
const gap = 4

// builder makes a segment of documents, in memory.
type builder struct {
	seg        *segment
	known      map[string]uint32 // the list of each word met
	roots      map[string]uint32 // the list of each stem, which may be another word's letters
	words      []string          // those that are not their own stem
	stems      []string          // by list
	lists      []writing
	split      splitter
	keys       []key
	containers map[string]uint32
	statuses   map[string]uint32
	kinds      map[string]uint32
	total      int // words so far
}

type key struct {
	folded string
	doc    uint32
}

func newBuilder() *builder {
	return &builder{
		seg: &segment{}, known: map[string]uint32{}, roots: map[string]uint32{},
		containers: map[string]uint32{}, statuses: map[string]uint32{}, kinds: map[string]uint32{},
	}
}

// add takes one document. No two of a builder may have the same id.
func (b *builder) add(d Doc) {
	s, doc := b.seg, uint32(b.seg.len())
	s.ids.add([]byte(d.ID))
	s.updated = append(s.updated, d.Updated)
	s.container.add(b.containers, d.Container)
	s.status.add(b.statuses, d.Status)
	s.kind.add(b.kinds, d.Kind)
	at := uint32(0)
	for i, k := range d.Keys {
		b.keys = append(b.keys, key{keyOf(k), doc})
		if i == 0 {
			at = b.split.split(k, at, func(w word) { b.note(doc, w, true) }) + 1
		}
	}
	end := b.split.split(d.Title, at, func(w word) { b.note(doc, w, true) })
	last := b.split.split(d.Text, end+gap, func(w word) { b.note(doc, w, false) })
	s.titles = append(s.titles, short(int(end-at)))
	s.texts = append(s.texts, short(int(last-end-gap)))
	b.total += int(last)
}

func (b *builder) note(doc uint32, w word, title bool) {
	list, ok := b.known[string(w.letters)]
	if !ok {
		list = b.meet(string(w.letters))
	}
	b.lists[list].add(doc, w.place, title)
}

// meet finds the list of a word that was not met before.
func (b *builder) meet(letters string) uint32 {
	root := stem(letters)
	list, ok := b.roots[root]
	if !ok {
		list = uint32(len(b.lists))
		b.lists = append(b.lists, writing{})
		b.stems = append(b.stems, root)
		b.roots[root] = list
	}
	b.known[letters] = list
	if letters != root {
		b.words = append(b.words, letters)
	}
	return list
}

// freeze ends the builder, and answers its segment.
func (b *builder) freeze() *segment {
	s := b.seg
	order := make([]uint32, len(b.stems))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int { return strings.Compare(b.stems[x], b.stems[y]) })
	number := make([]uint32, len(order)) // of each list, as a term
	size := 0
	for i, list := range order {
		number[list] = uint32(i)
		size += len(b.lists[list].bytes) + len(b.lists[list].places) + 12
	}
	s.entries = make([]byte, 0, size)
	for _, list := range order {
		s.terms.add([]byte(b.stems[list]))
		s.starts = append(s.starts, uint32(len(s.entries)))
		s.entries = b.lists[list].entry(s.entries)
	}
	slices.Sort(b.words)
	for _, w := range b.words {
		s.variants.add([]byte(w))
		s.stems = append(s.stems, number[b.known[w]])
	}
	slices.SortFunc(b.keys, func(x, y key) int {
		if c := strings.Compare(x.folded, y.folded); c != 0 {
			return c
		}
		return int(x.doc) - int(y.doc)
	})
	for _, k := range b.keys {
		s.keys.add([]byte(k.folded))
		s.keyDocs = append(s.keyDocs, k.doc)
	}
	s.fileIDs()
	return s
}
