package main

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

const (
	logQueue = 4096        // records that may wait to be written
	lastWord = time.Second // for what still waits when the program ends
)

// patient is a writer that never makes its caller wait: whoever reads the log
// may stop reading, and the node goes on. Records that find no room are
// counted, and the count is written when there is room again.
type patient struct {
	to      io.Writer
	records chan []byte
	dropped atomic.Int64
	closed  sync.Once
	quit    chan struct{}
	done    chan struct{}
}

func newPatient(to io.Writer) *patient {
	p := &patient{to: to, records: make(chan []byte, logQueue), quit: make(chan struct{}), done: make(chan struct{})}
	go p.write()
	return p
}

// Write takes one record whole; slog hands over one at a time.
func (p *patient) Write(record []byte) (int, error) {
	select {
	case p.records <- append([]byte(nil), record...):
	default:
		p.dropped.Add(1)
	}
	return len(record), nil
}

func (p *patient) write() {
	defer close(p.done)
	for {
		select {
		case record := <-p.records:
			p.put(record)
		case <-p.quit:
			for len(p.records) > 0 {
				p.put(<-p.records)
			}
			return
		}
	}
}

func (p *patient) put(record []byte) {
	if n := p.dropped.Swap(0); n > 0 {
		_, _ = fmt.Fprintf(p.to, "level=WARN msg=log_records_dropped count=%d\n", n)
	}
	_, _ = p.to.Write(record) // a log nobody reads is no reason to stop
}

// close writes what waits, for a moment at most: a reader that is gone or
// asleep does not hold the program. What is logged after it is lost.
func (p *patient) close() {
	p.closed.Do(func() { close(p.quit) })
	select {
	case <-p.done:
	case <-time.After(lastWord):
	}
}
