package document

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
)

// end is the offset behind a node's last character. ok is false when the
// text is not what the tree says: then nothing is edited.
func (s *source) end(n *yaml.Node) (pos int, ok bool) {
	pos = s.content(n)
	switch {
	case n.Kind == yaml.AliasNode:
		return pos + len("*") + len(n.Value), true
	case n.Kind == yaml.ScalarNode:
		return s.scalarEnd(n, pos)
	case isFlow(n):
		return s.flowEnd(n, pos)
	case len(n.Content) == 0:
		return pos, true
	case n.Kind == yaml.MappingNode:
		return s.pairEnd(n, len(n.Content)/2-1)
	}
	return s.end(n.Content[len(n.Content)-1])
}

// pairEnd is the end of the i-th entry of a map: of its value, or of its
// colon when it has none.
func (s *source) pairEnd(n *yaml.Node, i int) (int, bool) {
	colon, ok := s.colon(n.Content[2*i])
	if !ok {
		return s.end(n.Content[2*i])
	}
	v, ok := s.end(n.Content[2*i+1])
	return max(colon, v), ok
}

// colon is the offset behind the colon of a key.
func (s *source) colon(k *yaml.Node) (int, bool) {
	pos, ok := s.end(k)
	for ok && pos < len(s.text) && (s.text[pos] == ' ' || s.text[pos] == '\t') {
		pos++
	}
	if !ok || pos >= len(s.text) || s.text[pos] != ':' {
		return 0, false
	}
	return pos + 1, true
}

func (s *source) scalarEnd(n *yaml.Node, pos int) (int, bool) {
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return s.quoteEnd(pos, '"', '\\')
	case n.Style&yaml.SingleQuotedStyle != 0:
		return s.quoteEnd(pos, '\'', '\'')
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return s.blockScalarEnd(n, pos)
	}
	// A plain text is its words, with white space between them.
	for _, word := range strings.FieldsFunc(n.Value, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }) {
		for pos < len(s.text) && strings.IndexByte(" \t\r\n", s.text[pos]) >= 0 {
			pos++
		}
		if !bytes.HasPrefix(s.text[pos:], []byte(word)) {
			return pos, false
		}
		pos += len(word)
	}
	return pos, true
}

// quoteEnd finds the closing quote. escape is what takes the meaning from a
// quote behind it: a backslash, or in single quotes another quote.
func (s *source) quoteEnd(pos int, quote, escape byte) (int, bool) {
	if pos >= len(s.text) || s.text[pos] != quote {
		return pos, false
	}
	for pos++; pos < len(s.text); pos++ {
		last := pos+1 >= len(s.text)
		switch c := s.text[pos]; {
		case c == escape && !last && (escape != quote || s.text[pos+1] == quote):
			pos++
		case c == quote:
			return pos + 1, true
		}
	}
	return pos, false
}

// blockScalarEnd is the end of the last line of a | or > text: its lines are
// those indented at least as far as the first one that is not blank. Where
// the author gave the indentation by a digit, the lines of a | are counted.
func (s *source) blockScalarEnd(n *yaml.Node, pos int) (int, bool) {
	header, _, _ := strings.Cut(string(s.text[pos:s.lineEnd(pos)]), " ")
	end, indent := s.lineEnd(pos), -1
	body := strings.TrimRight(n.Value, "\n")
	if body == "" {
		return end, true
	}
	if strings.ContainsAny(header, "123456789") {
		for range strings.Count(body, "\n") + 1 {
			end = s.lineEnd(s.nextLine(end))
		}
		return end, n.Style&yaml.LiteralStyle != 0
	}
	for at := s.nextLine(pos); at < len(s.text); at = s.nextLine(at) {
		depth := s.indentOf(at)
		blank := at+depth == s.lineEnd(at)
		if indent < 0 && !blank {
			indent = depth
		}
		if !blank && depth < indent {
			break
		}
		if !blank || strings.Contains(header, "+") {
			end = s.lineEnd(at)
		}
	}
	return end, true
}

// indentOf counts the spaces at the beginning of a line.
func (s *source) indentOf(pos int) int {
	text := s.text[s.lineStart(pos):s.lineEnd(pos)]
	return len(text) - len(bytes.TrimLeft(text, " "))
}

func (s *source) flowEnd(n *yaml.Node, pos int) (int, bool) {
	if !s.brackets(pos) {
		if len(n.Content) == 0 { // a pair without braces, inside a list
			return pos, false
		}
		return s.pairEnd(n, len(n.Content)/2-1)
	}
	closing := byte(']')
	if s.text[pos] == '{' {
		closing = '}'
	}
	ok := true
	switch pos++; {
	case len(n.Content) > 0 && n.Kind == yaml.MappingNode:
		pos, ok = s.pairEnd(n, len(n.Content)/2-1)
	case len(n.Content) > 0:
		pos, ok = s.end(n.Content[len(n.Content)-1])
	}
	if pos = s.space(pos); pos < len(s.text) && s.text[pos] == ',' {
		pos = s.space(pos + 1)
	}
	if !ok || pos >= len(s.text) || s.text[pos] != closing {
		return pos, false
	}
	return pos + 1, true
}

// brackets reports whether a flow collection opens at pos.
func (s *source) brackets(pos int) bool {
	return pos < len(s.text) && (s.text[pos] == '[' || s.text[pos] == '{')
}
