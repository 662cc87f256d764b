package client

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"sync"
)

// What is kept of a child's stderr: the last whole lines, within both bounds.
// A longer line is cut, since one line must not push out all others.
const (
	tailLines   = 64
	tailBytes   = 16 << 10
	longestLine = 4 << 10
)

// tail keeps the last lines of a stream.
type tail struct {
	mu    sync.Mutex
	lines []string
	size  int
}

func (t *tail) add(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, line)
	t.size += len(line)
	for len(t.lines) > tailLines || t.size > tailBytes {
		t.size -= len(t.lines[0])
		t.lines = t.lines[1:]
	}
}

// last is a copy of what is kept, oldest first.
func (t *tail) last() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string(nil), t.lines...)
}

// drain reads r to its end whatever comes, and hands on each line, cut to
// longestLine bytes and without its line end.
func drain(r io.Reader, line func(string)) {
	br := bufio.NewReaderSize(r, longestLine)
	for cut := false; ; {
		part, err := br.ReadSlice('\n')
		full := errors.Is(err, bufio.ErrBufferFull)
		if text := strings.ToValidUTF8(strings.TrimRight(string(part), "\r\n"), "\uFFFD"); !cut && text != "" {
			line(text)
		}
		// The rest of a line that was too long is dropped.
		cut = full
		if err != nil && !full {
			return
		}
	}
}
