package client

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

func TestFramesPassOnlyMessages(t *testing.T) {
	t.Parallel()
	const ping = `{"jsonrpc":"2.0","method":"ping"}`
	long := strings.Repeat("x", 2000)
	for name, c := range map[string]struct {
		in      string
		msgs    int
		skipped int
		err     error
	}{
		"messages":                {ping + "\n" + ping + "\n", 2, 0, io.EOF},
		"the last without an end": {ping, 1, 0, io.EOF},
		"windows line ends":       {ping + "\r\n" + ping + "\r\n", 2, 0, io.EOF},
		"a byte order mark":       {"\uFEFF" + ping + "\n", 1, 0, io.EOF},
		"blank lines":             {"\n \n\t\n" + ping + "\n", 1, 0, io.EOF},
		"words":                   {"hello\n" + ping + "\n", 1, 1, io.EOF},
		"words on the same line":  {"50% " + ping + "\n", 1, 1, io.EOF},
		"other JSON":              {`{"level":"info"}` + "\n42\nnull\n" + ping + "\n", 1, 3, io.EOF},
		"broken JSON":             {`{"jsonrpc":"2.0",` + "\n" + ping + "\n", 1, 1, io.EOF},
		"a batch":                 {"[" + ping + "," + ping + "]\n", 2, 0, io.EOF},
		"a batch with others":     {"[" + ping + ",7,{}]\n", 1, 0, io.EOF},
		"an empty batch":          {"[]\n" + ping + "\n", 1, 1, io.EOF},
		"a long line of words":    {long + "\n" + ping + "\n", 1, 1, io.EOF},
		"a message too long":      {`{"jsonrpc":"2.0","method":"` + long + `"}` + "\n", 0, 0, errFrameTooLarge},
		"nothing":                 {"", 0, 0, io.EOF},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			heard, skipped := 0, 0
			f := newFrames(strings.NewReader(c.in), func() { heard++ }, func([]byte) { skipped++ })
			f.limit = 1000
			var msgs []jsonrpc.Message
			msg, err := f.next()
			for ; err == nil; msg, err = f.next() {
				msgs = append(msgs, msg)
			}
			if len(msgs) != c.msgs || skipped != c.skipped || !errors.Is(err, c.err) {
				t.Errorf("got %d messages, %d skipped, %v; want %d, %d, %v", len(msgs), skipped, err, c.msgs, c.skipped, c.err)
			}
			if heard != min(1, len(c.in)) {
				t.Errorf("heard %d times", heard)
			}
		})
	}
}

func FuzzFrames(f *testing.F) {
	for _, seed := range []string{"{}\n", "[[[\n", "x{\"jsonrpc\"", "\uFEFF[]\r\n", `{"jsonrpc":"2.0","id":1,"result":null}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		fr := newFrames(strings.NewReader(string(in)), nil, func([]byte) {})
		fr.limit = 1 << 10
		for n := 0; ; n++ {
			if _, err := fr.next(); err != nil {
				return
			}
			if n > len(in) {
				t.Fatal("more messages than bytes")
			}
		}
	})
}

func TestTailKeepsTheLastWholeLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in    string
		count int
		last  string
	}{
		"few":              {"a\nb\n", 2, "b"},
		"many":             {strings.Repeat("x\n", 100) + "y\n", tailLines, "y"},
		"wide":             {strings.Repeat(strings.Repeat("x", 1000)+"\n", 40) + "y", 17, "y"},
		"one endless line": {strings.Repeat("x", 1<<20), 1, strings.Repeat("x", longestLine) + cutMark},
		"after an endless": {strings.Repeat("x", 1<<20) + "\ny\n", 2, "y"},
		"no text":          {"\xff\xfe\n", 1, "\uFFFD"},
		"empty lines":      {"\n\n\r\n", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var kept tail
			drain(strings.NewReader(c.in), newRedactor(nil, nil), kept.add)
			got := kept.last()
			if len(got) != c.count || c.count > 0 && got[len(got)-1] != c.last {
				t.Errorf("got %d lines, want %d ending in %.20q", len(got), c.count, c.last)
			}
		})
	}
}
