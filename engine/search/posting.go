package search

import (
	"encoding/binary"
	"math/bits"
)

// The documents of a term, and its places in them, are two runs of bytes one
// after the other, all numbers varints:
//
//	documents  how many
//	length     of what follows in bytes, up to the places
//	for each:  the step from the document before, doubled; odd where the
//	           term is once in the text and not in the title, which most are
//	           where even, a byte: how often in the title, and in the text,
//	           four bits each; 15 says that a number follows, to be added
//	places     for each time it is there: the step from the place before,
//	           in the same document

// postings walks the documents of one term.
type postings struct {
	count  uint32 // of documents
	bytes  []byte // to come
	places []byte
	owed   uint32 // places to skip before those of doc
	own    uint32 // places of doc not yet read

	// Of the document that step found.
	doc, title, text uint32
}

func open(entry []byte) postings {
	count, at := number(entry, 0)
	length, at := number(entry, at)
	behind := at + int(length)
	return postings{count: count, bytes: entry[at:behind], places: entry[behind:]}
}

// step moves to the next document; false behind the last.
func (p *postings) step() bool { return p.seek(0) }

// seek moves to the next document whose number is at least that; false behind
// the last.
func (p *postings) seek(least uint32) bool {
	b, doc, owed := p.bytes, p.doc, p.owed+p.own
	for i := 0; i < len(b); {
		v := uint32(b[i])
		if i++; v >= 0x80 {
			v, i = number(b, i-1)
		}
		doc += v >> 1
		title, text := uint32(0), uint32(1)
		if v&1 == 0 {
			title, text, i = often(b, i)
		}
		if doc >= least {
			p.bytes, p.doc, p.title, p.text = b[i:], doc, title, text
			p.owed, p.own = owed, title+text
			return true
		}
		owed += title + text
	}
	p.bytes = nil
	return false
}

// often reads how often a term is in a title and a text.
func often(b []byte, i int) (title, text uint32, next int) {
	title, text = uint32(b[i]>>4), uint32(b[i]&15)
	i++
	v := uint32(0)
	if title == 15 {
		v, i = number(b, i)
		title += v
	}
	if text == 15 {
		v, i = number(b, i)
		text += v
	}
	return title, text, i
}

// number reads a varint at i, and answers where the next thing is.
func number(b []byte, i int) (v uint32, next int) {
	for shift := 0; ; shift += 7 {
		c := b[i]
		i++
		v |= uint32(c&0x7F) << shift
		if c < 0x80 {
			return v, i
		}
	}
}

// skip answers where so many numbers end: each has one byte whose highest bit is
// not set, its last. Eight bytes are counted at once while that many are to go,
// so none of them is passed in its middle.
func skip(b []byte, count uint32) int {
	const highest = 0x8080808080808080
	i := 0
	for count >= 8 && i+8 <= len(b) {
		count -= uint32(8 - bits.OnesCount64(binary.LittleEndian.Uint64(b[i:])&highest))
		i += 8
	}
	for count > 0 {
		if b[i] < 0x80 {
			count--
		}
		i++
	}
	return i
}

// raw are the places of the document that step found, as they are written;
// they are read once.
func (p *postings) raw() []byte {
	from := p.places[skip(p.places, p.owed):]
	n := skip(from, p.own)
	p.places, p.owed, p.own = from[n:], 0, 0
	return from[:n]
}

// where appends the places of the document that step found; they are read
// once.
func (p *postings) where(to []uint32) []uint32 {
	b, at := p.places, uint32(0)
	i := skip(b, p.owed)
	for ; p.own > 0; p.own-- {
		v := uint32(b[i])
		if i++; v >= 0x80 {
			v, i = number(b, i-1)
		}
		at += v
		to = append(to, at)
	}
	p.places, p.owed = b[i:], 0
	return to
}

// writing is the list of one term while documents are added to it.
type writing struct {
	bytes, places    []byte
	count            uint32
	last             uint32 // the document before this one
	doc, title, text uint32 // not yet written
	at               uint32 // the last place in doc
	open             bool
}

// add notes the term once more, at a place of a document. Documents come in
// order, and so do the places of each.
func (w *writing) add(doc, at uint32, title bool) {
	if w.open && w.doc != doc {
		w.flush()
	}
	if !w.open {
		w.open, w.doc, w.title, w.text, w.at = true, doc, 0, 0, 0
	}
	if title {
		w.title++
	} else {
		w.text++
	}
	w.places = binary.AppendUvarint(w.places, uint64(at-w.at))
	w.at = at
}

// copied notes a document as another list has it.
func (w *writing) copied(doc uint32, p *postings) {
	w.doc, w.title, w.text, w.open = doc, p.title, p.text, true
	w.places = append(w.places, p.raw()...)
	w.flush()
}

func (w *writing) flush() {
	if !w.open {
		return
	}
	step := uint64(w.doc-w.last) << 1
	if w.title == 0 && w.text == 1 {
		w.bytes = binary.AppendUvarint(w.bytes, step|1)
	} else {
		w.bytes = binary.AppendUvarint(w.bytes, step)
		w.bytes = append(w.bytes, byte(min(w.title, 15)<<4|min(w.text, 15)))
		for _, often := range []uint32{w.title, w.text} {
			if often >= 15 {
				w.bytes = binary.AppendUvarint(w.bytes, uint64(often-15))
			}
		}
	}
	w.count++
	w.last, w.open = w.doc, false
}

// entry appends the list as open reads it.
func (w *writing) entry(to []byte) []byte {
	w.flush()
	to = binary.AppendUvarint(to, uint64(w.count))
	to = binary.AppendUvarint(to, uint64(len(w.bytes)))
	to = append(to, w.bytes...)
	return append(to, w.places...)
}

// reset makes the list empty, and keeps its memory.
func (w *writing) reset() { *w = writing{bytes: w.bytes[:0], places: w.places[:0]} }
