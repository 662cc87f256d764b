package paste

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"crewlet/config/document"
)

// jsonReader reads JSON as people keep it in files: with comments, and commas
// after the last of a list.
type jsonReader struct {
	text  []byte
	at    int
	lines []int // where each line begins
	nodes int
}

// readJSON reads one value. A text that begins with a key is read as the
// inside of an object: braces are easily left behind when copying.
func readJSON(text []byte) (*value, error) {
	r := &jsonReader{text: text, lines: []int{0}}
	for i, c := range text {
		if c == '\n' {
			r.lines = append(r.lines, i+1)
		}
	}
	if err := r.space(); err != nil {
		return nil, err
	}
	if r.peek() == '"' {
		return r.object(0, 0)
	}
	root, err := r.value(0)
	if err != nil {
		return nil, err
	}
	if err := r.space(); err != nil {
		return nil, err
	}
	if r.at < len(r.text) {
		return nil, r.fail("Something follows the end of the block. Paste one block, or take the rest out.")
	}
	return root, nil
}

func (r *jsonReader) value(depth int) (*value, error) {
	if r.nodes++; r.nodes > mostNodes || depth > deepest {
		return nil, r.fail("This holds more than %d values, or is nested more than %d deep. Paste the servers alone.", mostNodes, deepest)
	}
	line := r.line()
	switch c := r.peek(); c {
	case '{':
		r.at++
		return r.object(depth, '}')
	case '[':
		r.at++
		return r.list(depth, line)
	case '"':
		text, err := r.string()
		return &value{text: text, quoted: true, line: line}, err
	case 0:
		return nil, r.fail("The text ends where a value belongs. Paste the whole block.")
	}
	return r.word(line)
}

// object reads members up to end; 0 is the end of the text.
func (r *jsonReader) object(depth int, end byte) (*value, error) {
	v := &value{kind: object, line: r.line()}
	for {
		if err := r.space(); err != nil {
			return nil, err
		}
		if r.peek() == end {
			r.at += min(int(end), 1)
			return v, nil
		}
		m, err := r.member(depth)
		if err != nil {
			return nil, err
		}
		if v.get(m.key) != nil {
			return nil, problem(m.line, "The key %q stands here for the second time. Keep one of the two.", clip(m.key))
		}
		v.members = append(v.members, m)
		if err := r.comma(end, "{"); err != nil {
			return nil, err
		}
	}
}

func (r *jsonReader) member(depth int) (member, error) {
	switch r.peek() {
	case '"':
	case 0:
		return member{}, r.fail("A { is opened and never closed. Paste the whole block.")
	default:
		return member{}, r.fail("A key in double quotes belongs here, such as \"command\".")
	}
	m := member{line: r.line()}
	var err error
	if m.key, err = r.string(); err != nil {
		return m, err
	}
	if err := r.space(); err != nil {
		return m, err
	}
	if r.peek() != ':' {
		return m, r.fail("A colon belongs between a key and its value.")
	}
	r.at++
	if err := r.space(); err != nil {
		return m, err
	}
	m.value, err = r.value(depth + 1)
	return m, err
}

func (r *jsonReader) list(depth, line int) (*value, error) {
	v := &value{kind: list, line: line}
	for {
		if err := r.space(); err != nil {
			return nil, err
		}
		if r.peek() == ']' {
			r.at++
			return v, nil
		}
		item, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		v.items = append(v.items, item)
		if err := r.comma(']', "["); err != nil {
			return nil, err
		}
	}
}

// comma reads what parts two values: a comma, or the end that comes next.
func (r *jsonReader) comma(end byte, opened string) error {
	if err := r.space(); err != nil {
		return err
	}
	switch r.peek() {
	case end:
		return nil
	case ',':
		r.at++
		return nil
	case 0:
		return r.fail("A %s is opened and never closed. Paste the whole block.", opened)
	}
	return r.fail("A comma is missing before this, or a %s above it is not closed.", opened)
}

func (r *jsonReader) string() (string, error) {
	from := r.at
	for r.at++; r.at < len(r.text); r.at++ {
		switch r.text[r.at] {
		case '\\':
			r.at++
		case '\n':
			r.at = from
			return "", r.fail("A quote is opened here and not closed on its line.")
		case '"':
			r.at++
			var s string
			if err := json.Unmarshal(r.text[from:r.at], &s); err != nil {
				r.at = from
				return "", r.fail("This text holds a tab, a control character or an escape that JSON does not know. Write \\\\ for a backslash and \\t for a tab.")
			}
			if strings.ContainsRune(s, 0) {
				r.at = from
				return "", r.fail("This text holds a NUL character. Take it out.")
			}
			return s, nil
		}
	}
	r.at = from
	return "", r.fail("A quote is opened here and never closed.")
}

// word reads a number, true, false or null.
func (r *jsonReader) word(line int) (*value, error) {
	from := r.at
	for r.at < len(r.text) && bytes.IndexByte([]byte("+-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"), r.text[r.at]) >= 0 {
		r.at++
	}
	word := r.text[from:r.at]
	if len(word) == 0 || !json.Valid(word) {
		r.at = from
		return nil, r.fail("This is no JSON value. Put a text in double quotes; true, false, null and numbers stand without.")
	}
	return &value{text: string(word), null: string(word) == "null", line: line}, nil
}

// space skips white space and comments: // and # to the end of the line, and
// /* */.
func (r *jsonReader) space() error {
	for r.at < len(r.text) {
		rest := r.text[r.at:]
		switch {
		case bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0:
			r.at++
		case bytes.HasPrefix(rest, []byte("//")), rest[0] == '#':
			r.at += untilEOL(rest)
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest, []byte("*/"))
			if end < 0 {
				return r.fail("A comment is opened here (/*) and never closed.")
			}
			r.at += end + len("*/")
		default:
			return nil
		}
	}
	return nil
}

func untilEOL(rest []byte) int {
	if n := bytes.IndexByte(rest, '\n'); n >= 0 {
		return n
	}
	return len(rest)
}

// withoutComments is what a text says first, once comments are skipped.
func withoutComments(text []byte) []byte {
	r := &jsonReader{text: text, lines: []int{0}}
	if err := r.space(); err != nil {
		return text
	}
	return text[min(r.at, len(text)):]
}

// peek is the next byte, or 0 at the end.
func (r *jsonReader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

func (r *jsonReader) line() int {
	n, exact := slices.BinarySearch(r.lines, r.at)
	if exact {
		return n + 1
	}
	return n
}

func (r *jsonReader) fail(says string, args ...any) error {
	line := r.line()
	column := len([]rune(string(r.text[r.lines[line-1]:min(r.at, len(r.text))]))) + 1
	return document.Problems{{Line: line, Column: column, Says: fmt.Sprintf(says, args...)}}
}

// clip keeps what is quoted in a sentence to a length people read.
func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}
