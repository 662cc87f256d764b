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

// drain reads r to its end whatever comes, and hands on each line without its
// line end, redacted and cut to longestLine bytes.
func drain(r io.Reader, redact *redactor, line func(string)) {
	var kept []byte
	for br := bufio.NewReaderSize(r, longestLine); ; {
		part, err := br.ReadSlice('\n')
		enough := redact.enough(longestLine)
		// Of a line that is too long the rest is dropped, but not before the
		// end of a secret that begins in what is kept.
		kept = append(kept, part[:max(0, min(len(part), enough-len(kept)))]...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if text := strings.TrimRight(string(kept), "\r\n"); text != "" {
			line(redact.clipped(text, longestLine))
		}
		if err != nil {
			return
		}
		kept = kept[:0]
	}
}
