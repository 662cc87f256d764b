package search

import (
	"encoding/binary"
	"errors"
	"io"
)

// codec goes through the fields of a segment, in one order: a writer writes
// them, a reader fills them in. So there is one description of the file. The
// first error stays.
type codec interface {
	bytes(*[]byte)
	u32s(*[]uint32)
	i64s(*[]int64)
}

// fields are what of a segment is in the file. The rest is made from it.
func (s *segment) fields(c codec) {
	for _, t := range []*table{&s.ids, &s.keys, &s.terms, &s.variants, &s.container.names, &s.status.names, &s.kind.names} {
		c.bytes(&t.blob)
		c.u32s(&t.ends)
	}
	c.i64s(&s.updated)
	c.bytes(&s.titles)
	c.bytes(&s.texts)
	for _, numbers := range []*[]uint32{&s.container.of, &s.status.of, &s.kind.of, &s.keyDocs, &s.starts, &s.stems} {
		c.u32s(numbers)
	}
	c.bytes(&s.entries)
}

// writer writes lengths, then values, little-endian.
type writer struct {
	to    io.Writer
	err   error
	space []byte
}

func (w *writer) raw(b []byte) {
	if w.err == nil {
		_, w.err = w.to.Write(b)
	}
}

func (w *writer) number(n uint64) { w.raw(binary.LittleEndian.AppendUint64(w.space[:0], n)) }

func (w *writer) bytes(b *[]byte) {
	w.number(uint64(len(*b)))
	w.raw(*b)
}

func (w *writer) u32s(all *[]uint32) {
	w.number(uint64(len(*all)))
	for _, n := range *all {
		w.raw(binary.LittleEndian.AppendUint32(w.space[:0], n))
	}
}

func (w *writer) i64s(all *[]int64) {
	w.number(uint64(len(*all)))
	for _, n := range *all {
		w.number(uint64(n))
	}
}

// reader reads what writer wrote, of a file with left bytes to come.
type reader struct {
	from io.Reader
	left int64
	err  error
}

var errShort = errors.New("it ends too soon")

// raw reads so many bytes. A length that cannot be is an error before any
// memory is taken for it.
func (r *reader) raw(n uint64) []byte {
	if r.err == nil && n > uint64(r.left) {
		r.err = errShort
	}
	if r.err != nil {
		return nil
	}
	b := make([]byte, n)
	r.left -= int64(n)
	_, r.err = io.ReadFull(r.from, b)
	return b
}

func (r *reader) number() uint64 {
	b := r.raw(8)
	if r.err != nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b)
}

// count reads how many values of a size follow.
func (r *reader) count(size uint64) uint64 {
	n := r.number()
	if r.err == nil && n > uint64(r.left)/size {
		r.err = errShort
	}
	if r.err != nil {
		return 0
	}
	return n
}

func (r *reader) bytes(b *[]byte) { *b = r.raw(r.number()) }

func (r *reader) u32s(all *[]uint32) {
	n := r.count(4)
	raw := r.raw(4 * n)
	*all = make([]uint32, len(raw)/4)
	for i := range *all {
		(*all)[i] = binary.LittleEndian.Uint32(raw[4*i:])
	}
}

func (r *reader) i64s(all *[]int64) {
	n := r.count(8)
	raw := r.raw(8 * n)
	*all = make([]int64, len(raw)/8)
	for i := range *all {
		(*all)[i] = int64(binary.LittleEndian.Uint64(raw[8*i:]))
	}
}
