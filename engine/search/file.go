package search

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strings"
)

// header begins every file. The number is raised whenever the fields, the
// words or their stems change: a file of another version is not read.
const header = "crewlet search 1\n"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// stamp tells what the documents of the file were made of.
func (x *Index) stamp() []byte {
	var all strings.Builder
	for _, s := range x.o.Sources {
		fmt.Fprintf(&all, "%q ", s.Stamp)
	}
	return []byte(all.String())
}

// keep writes the file: a new one beside it, which then takes its place. What
// was there stays when that fails. It answers what is in the file now.
func (x *Index) keep(ctx context.Context, now, before *shelves) *shelves {
	if x.o.File == "" || !now.built || now == before {
		return before
	}
	if err := x.write(now); err != nil {
		x.o.Log.WarnContext(ctx, "search_index_not_kept", "error", err)
		return before
	}
	return now
}

func (x *Index) write(now *shelves) (err error) {
	f, err := os.Create(x.o.File + ".tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}()
	sum := crc32.New(castagnoli)
	buffer := bufio.NewWriterSize(io.MultiWriter(f, sum), 1<<20)
	w := &writer{to: buffer, space: make([]byte, 0, 8)}
	w.raw([]byte(header))
	stamp, mark := x.stamp(), []byte(now.mark)
	w.bytes(&stamp)
	w.bytes(&mark)
	w.number(uint64(now.position))
	w.number(uint64(len(now.all)))
	for _, s := range now.all {
		gone := s.lost(shelf{})
		w.u32s(&gone)
		s.fields(w)
	}
	if err := errors.Join(w.err, buffer.Flush()); err != nil {
		return err
	}
	if _, err := f.Write(sum.Sum(nil)); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), x.o.File)
}

// read reads the file. What is not whole, or of another version or stamp, is
// an error that says so.
func (x *Index) read() (*shelves, error) {
	f, err := os.Open(x.o.File)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return x.decode(f, info.Size())
}

func (x *Index) decode(from io.Reader, size int64) (*shelves, error) {
	sum := crc32.New(castagnoli)
	file := bufio.NewReaderSize(from, 1<<20)
	r := &reader{from: io.TeeReader(file, sum), left: size - crc32.Size}
	if first := r.raw(uint64(len(header))); string(first) != header {
		return nil, errors.New("it is of another version")
	}
	out, gone, err := x.contents(r)
	if err != nil {
		return nil, err
	}
	check := make([]byte, crc32.Size)
	if _, err := io.ReadFull(file, check); err != nil || binary.BigEndian.Uint32(check) != sum.Sum32() {
		return nil, errors.New("its checksum is another")
	}
	// Nothing was made of what the file says until here.
	for i, s := range out.all {
		s.fileIDs()
		out.all[i] = shelved(s.segment, gone[i]...)
	}
	return out, nil
}

// contents reads all between the header and the checksum.
func (x *Index) contents(r *reader) (*shelves, [][]uint32, error) {
	var stamp, mark []byte
	r.bytes(&stamp)
	r.bytes(&mark)
	if r.err == nil && string(stamp) != string(x.stamp()) {
		return nil, nil, errors.New("its documents are made otherwise")
	}
	out := &shelves{mark: string(mark), position: int64(r.number())}
	var gone [][]uint32
	for left := r.number(); left > 0 && r.err == nil; left-- {
		s, lost := &segment{}, []uint32(nil)
		r.u32s(&lost)
		s.fields(r)
		out.all, gone = append(out.all, shelf{segment: s}), append(gone, lost)
	}
	if r.err == nil && r.left != 0 {
		r.err = errors.New("more follows than it says")
	}
	return out, gone, r.err
}
