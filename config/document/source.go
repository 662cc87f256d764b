package document

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// source is a text beside the tree it was read to. Places are byte offsets
// into the author's text.
type source struct {
	text   []byte
	starts []int // of each line
	root   *yaml.Node
}

func readSource(text []byte) (*source, Problems) {
	root, problems := readTree(plainText(text))
	if problems != nil {
		return nil, problems
	}
	s := &source{text: text, root: root}
	first := 0
	if bytes.HasPrefix(text, []byte(bom)) {
		first = len(bom)
	}
	s.starts = []int{first}
	for i, c := range text {
		if c == '\n' {
			s.starts = append(s.starts, i+1)
		}
	}
	return s, nil
}

// eol is the line end the author uses.
func (s *source) eol() string {
	if i := bytes.IndexByte(s.text, '\n'); i > 0 && s.text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// at is the offset of a node, its anchor included.
func (s *source) at(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(s.starts) {
		return len(s.text)
	}
	pos := s.starts[n.Line-1]
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(s.text[pos:])
		pos += size
	}
	return min(pos, len(s.text))
}

// line is the number of the line an offset stands on, from 0.
func (s *source) line(pos int) int {
	i, found := slices.BinarySearch(s.starts, pos)
	if found {
		return i
	}
	return max(i-1, 0)
}

func (s *source) lineStart(pos int) int { return s.starts[s.line(pos)] }

// lineEnd is the offset of the line end after pos, or of the text's end.
func (s *source) lineEnd(pos int) int {
	i := bytes.IndexByte(s.text[pos:], '\n')
	if i < 0 {
		return len(s.text)
	}
	if i > 0 && s.text[pos+i-1] == '\r' {
		i--
	}
	return pos + i
}

// nextLine is the offset of the line after the one pos stands on.
func (s *source) nextLine(pos int) int {
	if i := bytes.IndexByte(s.text[pos:], '\n'); i >= 0 {
		return pos + i + 1
	}
	return len(s.text)
}

// column is the offset of pos within its line, in characters.
func (s *source) column(pos int) int {
	return utf8.RuneCount(s.text[s.lineStart(pos):pos])
}

// blankBefore reports whether only spaces stand before pos on its line.
func (s *source) blankBefore(pos int) bool {
	return len(bytes.Trim(s.text[s.lineStart(pos):pos], " ")) == 0
}

// remarks is the beginning of the line pos stands on, or of the comments
// right above it, at the same indentation.
func (s *source) remarks(pos int) int {
	start, depth := s.lineStart(pos), s.column(pos)
	for start > s.starts[0] {
		above := s.lineStart(start - 1)
		if s.indentOf(above) != depth || s.text[above+depth] != '#' {
			break
		}
		start = above
	}
	return start
}

// space skips white space, line ends and comments. A # begins a comment only
// after white space.
func (s *source) space(pos int) int {
	for pos < len(s.text) {
		switch c := s.text[pos]; {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			pos++
		case c == '#' && (pos == 0 || strings.IndexByte(" \t\r\n", s.text[pos-1]) >= 0):
			pos = s.nextLine(pos)
		default:
			return pos
		}
	}
	return pos
}

// content is where a node's own text begins, behind its anchor and tag.
func (s *source) content(n *yaml.Node) int {
	if isBlock(n) && len(n.Content) > 0 && n.Kind == yaml.MappingNode {
		return s.at(n.Content[0])
	}
	pos := s.at(n)
	for pos < len(s.text) && (s.text[pos] == '&' || s.text[pos] == '!') {
		for pos < len(s.text) && strings.IndexByte(" \t\r\n,[]{}", s.text[pos]) < 0 {
			pos++
		}
		if n.Kind == yaml.ScalarNode && n.Value == "" && n.Style&quoted == 0 {
			return pos // an anchor on nothing
		}
		pos = s.space(pos)
	}
	return pos
}

const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle

func isFlow(n *yaml.Node) bool { return n.Style&yaml.FlowStyle != 0 }

// isBlock reports whether a node is a collection written line by line.
func isBlock(n *yaml.Node) bool {
	return (n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode) && !isFlow(n)
}
