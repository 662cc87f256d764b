package document

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// style is how an author indents.
type style struct {
	step int // of what stands under a key
	list int // of the dashes under their key, in spaces
	gap  int // from a dash to what follows it
}

// styleOf takes the style from what is written already: the first map under
// a key, the first list under one.
func (s *source) styleOf() style {
	st := style{step: 0, list: -1, gap: 0}
	var look func(n *yaml.Node)
	look = func(n *yaml.Node) {
		for i, c := range n.Content {
			if isBlock(n) && n.Kind == yaml.MappingNode && i%2 == 1 && isBlock(c) && len(c.Content) > 0 && n.Content[i-1].Line < c.Line {
				s.learn(&st, n.Content[i-1], c)
			}
			look(c)
		}
	}
	look(s.root)
	if st.step <= 0 {
		st.step = 2
		if st.list > 0 {
			st.step = st.list
		}
	}
	if st.list < 0 {
		st.list = st.step
	}
	if st.gap <= 0 {
		st.gap = 2
	}
	return st
}

func (s *source) learn(st *style, key, c *yaml.Node) {
	outer := s.column(s.at(key))
	if c.Kind == yaml.MappingNode {
		if st.step <= 0 {
			st.step = s.column(s.content(c)) - outer
		}
		return
	}
	dash, ok := s.dash(c.Content[0])
	if !ok || st.list >= 0 {
		return
	}
	st.list = s.column(dash) - outer
	if first := s.at(c.Content[0]); s.line(first) == s.line(dash) {
		st.gap = first - dash
	}
}

// fits reports whether a value is written on its key's line: a scalar of one
// line, an empty collection, a short list of short texts.
func fits(p plain) bool {
	switch p.kind {
	case yaml.MappingNode:
		return len(p.keys) == 0
	case yaml.SequenceNode:
		for _, v := range p.vals {
			if v.kind != yaml.ScalarNode {
				return false
			}
		}
		return len(inline(p, hand{})) <= 80
	}
	return !prose(p)
}

// prose is a text of several lines that a | can hold as it is.
func prose(p plain) bool {
	if p.tag != "!!str" || !strings.Contains(strings.TrimRight(p.text, "\n"), "\n") || strings.HasSuffix(p.text, "\n\n") {
		return false
	}
	for line := range strings.SplitSeq(p.text, "\n") {
		if strings.TrimSpace(line) != line {
			return false
		}
	}
	_, control := controlIn(strings.ReplaceAll(p.text, "\n", ""), false)
	return !control && p.text[0] != '\n' && !strings.Contains(p.text, bom)
}

// under writes a value that does not fit behind its key: what follows the
// colon, and the lines below it. indent is the key's own.
func (st style) under(p plain, indent int) (head string, lines []string) {
	switch {
	case p.kind == yaml.ScalarNode:
		head = " |-"
		if strings.HasSuffix(p.text, "\n") {
			head = " |"
		}
		for line := range strings.SplitSeq(strings.TrimSuffix(p.text, "\n"), "\n") {
			if line != "" {
				line = pad(indent+st.step) + line
			}
			lines = append(lines, line)
		}
		return head, lines
	case p.kind == yaml.SequenceNode:
		return "", st.items(p.vals, indent+st.list)
	}
	return "", st.entries(p, indent+st.step)
}

// entries writes the entries of a map, each on lines of its own.
func (st style) entries(p plain, indent int) []string {
	var lines []string
	for i, k := range p.keys {
		first := pad(indent) + quote(k, hand{}) + ":"
		if v := p.vals[i]; fits(v) {
			lines = append(lines, first+" "+inline(v, hand{}))
		} else {
			head, below := st.under(v, indent)
			lines = append(append(lines, first+head), below...)
		}
	}
	return lines
}

// items writes the entries of a list, the dashes at indent.
func (st style) items(vals []plain, indent int) []string {
	var lines []string
	for _, v := range vals {
		dash := pad(indent) + "-" + pad(st.gap-1)
		switch {
		case fits(v):
			lines = append(lines, dash+inline(v, hand{}))
		case v.kind == yaml.MappingNode:
			below := st.entries(v, indent+st.gap)
			below[0] = dash + below[0][indent+st.gap:]
			lines = append(lines, below...)
		case v.kind == yaml.SequenceNode:
			below := st.items(v.vals, indent+st.gap)
			below[0] = dash + below[0][indent+st.gap:]
			lines = append(lines, below...)
		default:
			head, below := st.under(v, indent)
			lines = append(append(lines, strings.TrimRight(dash, " ")+head), below...)
		}
	}
	return lines
}

func pad(n int) string { return strings.Repeat(" ", max(n, 0)) }
