package client

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxFrame is the longest JSON-RPC message that is read, in bytes.
const maxFrame = 64 << 20

// keptOfNone is how much is kept of a longer line that is no message: enough
// that a secret in what is shown of it is whole.
const keptOfNone = 1 << 20

var errFrameTooLarge = fmt.Errorf("it sent a message over %d MiB", maxFrame>>20)

var byteOrderMark = []byte("\uFEFF")

// frames reads JSON-RPC messages from a stream on which other things may be
// printed too. Messages stand on lines of their own; everything else is
// handed to skip and passed over.
type frames struct {
	r       *bufio.Reader
	limit   int
	heard   func()            // once, at the first byte
	skip    func(line []byte) // a line that is no message; the start of a very long one
	waiting []jsonrpc.Message // the rest of a batch
}

func newFrames(r io.Reader, heard func(), skip func([]byte)) *frames {
	return &frames{r: bufio.NewReaderSize(r, 64<<10), limit: maxFrame, heard: heard, skip: skip}
}

// next returns the next message, or the stream's end.
func (f *frames) next() (jsonrpc.Message, error) {
	for len(f.waiting) == 0 {
		line, err := f.line()
		if len(line) > 0 {
			f.take(line)
		}
		if err != nil && len(f.waiting) == 0 {
			return nil, err
		}
	}
	msg := f.waiting[0]
	f.waiting = f.waiting[1:]
	return msg, nil
}

// take queues the messages of one line.
func (f *frames) take(line []byte) {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, byteOrderMark))
	if len(line) == 0 {
		return
	}
	if msgs := messages(line); msgs != nil {
		f.waiting = msgs
		return
	}
	// A prompt or a progress bar printed without a line end swallows the
	// message behind it; the message is still there.
	if at := bytes.Index(line, []byte(`{"jsonrpc"`)); at > 0 {
		if msgs := messages(line[at:]); msgs != nil {
			f.skip(line[:at])
			f.waiting = msgs
			return
		}
	}
	f.skip(line)
}

// messages decodes a line as one message or a batch, and is nil when it is
// neither. Of a batch, what is a message counts.
func messages(line []byte) []jsonrpc.Message {
	switch line[0] {
	case '{':
		if msg, err := jsonrpc.DecodeMessage(line); err == nil {
			return []jsonrpc.Message{msg}
		}
	case '[':
		var batch []json.RawMessage
		if json.Unmarshal(line, &batch) != nil {
			return nil
		}
		var msgs []jsonrpc.Message
		for _, raw := range batch {
			if msg, err := jsonrpc.DecodeMessage(raw); err == nil {
				msgs = append(msgs, msg)
			}
		}
		return msgs
	}
	return nil
}

// line reads one line into memory of its own: messages keep parts of it.
// A line over the limit that begins like JSON is an error, since an answer
// somebody waits for is lost with it; any other is passed over.
func (f *frames) line() ([]byte, error) {
	var line []byte
	for over := false; ; {
		part, err := f.r.ReadSlice('\n')
		if f.heard != nil && len(part) > 0 {
			f.heard()
			f.heard = nil
		}
		if !over {
			line = append(line, part...)
		}
		if len(line) > f.limit {
			over = true
			if line[0] == '{' || line[0] == '[' {
				return nil, errFrameTooLarge
			}
			line = append([]byte(nil), line[:min(len(line), keptOfNone)]...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}
