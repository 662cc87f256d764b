package client

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"time"
)

// sseEvent is one server-sent event.
type sseEvent struct {
	name, id string
	data     []byte
}

// sseReader reads server-sent events as the HTML standard describes them:
// lines end in LF, CR or both, and an event ends at an empty line.
type sseReader struct {
	r      *bufio.Reader
	limit  int // bytes of one event
	afterC bool
	buf    []byte
	// lastID and retry hold over events, as the standard has it.
	lastID string
	retry  time.Duration
}

func newSSE(r io.Reader) *sseReader {
	return &sseReader{r: bufio.NewReaderSize(r, 64<<10), limit: maxFrame}
}

// next returns the next event that has data, or the stream's end.
func (s *sseReader) next() (sseEvent, error) {
	var e sseEvent
	for {
		line, err := s.line(len(e.data))
		if err != nil {
			return e, err // an event that is cut off is none
		}
		if len(line) > 0 {
			s.field(&e, line)
			continue
		}
		if len(e.data) > 1 { // more than the line end of an empty one
			e.data, e.id = e.data[:len(e.data)-1], s.lastID
			return e, nil
		}
		e = sseEvent{}
	}
}

// field takes one line of an event. Each line of data keeps a line end until
// the event is whole.
func (s *sseReader) field(e *sseEvent, line []byte) {
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(field) {
	case "event":
		e.name = string(value)
	case "data":
		e.data = append(append(e.data, value...), '\n')
	case "id":
		if !bytes.ContainsRune(value, 0) {
			s.lastID = string(value)
		}
	case "retry":
		if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
			s.retry = time.Duration(ms) * time.Millisecond
		}
	}
}

// line reads one line without its end. It is valid until the next.
func (s *sseReader) line(have int) ([]byte, error) {
	s.buf = s.buf[:0]
	for {
		if _, err := s.r.Peek(1); err != nil {
			return nil, err
		}
		chunk, _ := s.r.Peek(s.r.Buffered()) // what is buffered cannot fail
		if s.afterC && chunk[0] == '\n' {
			s.afterC = false
			_, _ = s.r.Discard(1)
			continue
		}
		s.afterC = false
		end := bytes.IndexAny(chunk, "\r\n")
		if end < 0 {
			s.buf = append(s.buf, chunk...)
			_, _ = s.r.Discard(len(chunk))
			if have+len(s.buf) > s.limit {
				return nil, errFrameTooLarge
			}
			continue
		}
		s.buf = append(s.buf, chunk[:end]...)
		s.afterC = chunk[end] == '\r'
		_, _ = s.r.Discard(end + 1)
		if have+len(s.buf) > s.limit {
			return nil, errFrameTooLarge
		}
		return s.buf, nil
	}
}
