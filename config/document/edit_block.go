package document

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// add puts a new entry into a map or a list.
func (s *source) add(t target, value plain) ([]splice, bool) {
	switch {
	case t.in == nil:
		return s.addFirst(t.name, value), true
	case t.flow:
		return s.addFlow(t, value)
	case t.in.Kind == yaml.MappingNode:
		indent := s.column(s.at(t.in.Content[0]))
		entry := plain{kind: yaml.MappingNode, keys: []string{t.name}, vals: []plain{value}}
		pos, ok := s.end(t.in)
		return s.below(pos, s.styleOf().entries(entry, indent)), ok
	}
	return s.addItem(t, value)
}

// addFirst writes the first key of an empty document, behind its comments.
func (s *source) addFirst(name string, value plain) []splice {
	lines := s.styleOf().entries(plain{kind: yaml.MappingNode, keys: []string{name}, vals: []plain{value}}, 0)
	text, end := strings.Join(lines, s.eol()), len(s.text)
	if end > s.starts[0] && s.text[end-1] != '\n' {
		return []splice{{end, end, s.eol() + text}}
	}
	return []splice{{end, end, text + s.eol()}}
}

// addItem puts an entry into a list, with the dash under the others'. It
// goes behind its predecessor, so that comments stay above what they are
// about; the first one goes before its successor and what is remarked on it.
func (s *source) addItem(t target, value plain) ([]splice, bool) {
	dash, ok := s.dash(t.in.Content[0])
	if !ok {
		return nil, false
	}
	st := s.styleOf()
	if first := s.at(t.in.Content[0]); s.line(first) == s.line(dash) {
		st.gap = first - dash
	}
	lines := st.items([]plain{value}, s.column(dash))
	if t.i > 0 {
		pos, ok := s.end(t.in.Content[t.i-1])
		return s.below(pos, lines), ok
	}
	if !s.blankBefore(dash) {
		return nil, false
	}
	start := s.remarks(dash)
	return []splice{{start, start, strings.Join(lines, s.eol()) + s.eol()}}, true
}

// below writes lines under the line pos stands on.
func (s *source) below(pos int, lines []string) []splice {
	end := s.lineEnd(pos)
	return []splice{{end, end, s.eol() + strings.Join(lines, s.eol())}}
}

// dash is the offset of a list entry's dash: the nearest one before it, but
// for white space and comments.
func (s *source) dash(item *yaml.Node) (int, bool) {
	pos := s.at(item)
	start := s.lineStart(pos)
	for {
		before := strings.TrimRight(string(s.text[start:pos]), " \t\r\n")
		if body, _, found := strings.Cut(before, "#"); found && strings.HasSuffix(strings.TrimRight(body, " \t"), "-") {
			before = strings.TrimRight(body, " \t")
		}
		if strings.HasSuffix(before, "-") {
			return start + len(before) - 1, true
		}
		if (before != "" && !strings.HasPrefix(strings.TrimSpace(before), "#")) || start == s.starts[0] {
			return 0, false
		}
		pos = start
		start = s.lineStart(start - 1)
	}
}

// replace puts another value in the place of one.
func (s *source) replace(t target, value plain) ([]splice, bool) {
	end, ok := s.end(t.old)
	if !ok {
		return nil, false
	}
	from := s.at(t.old)
	switch {
	case t.flow && t.key == nil:
		return []splice{{from, end, inline(value, t.hand())}}, true
	case t.flow:
		return s.replaceFlow(t, value, from, end)
	case t.key == nil:
		return s.replaceItem(t, value, from, end)
	}
	colon, ok := s.colon(t.key)
	if !ok {
		return nil, false
	}
	return s.replaceValue(t, value, colon, end), true
}

// replaceItem writes a list's entry anew: in its place when both fit on a
// line, and otherwise with its dash and all its lines.
func (s *source) replaceItem(t target, value plain, from, end int) ([]splice, bool) {
	if fits(value) && !isBlock(t.old) && from < end {
		return []splice{{from, end, inline(value, handOf(t.old))}}, true
	}
	dash, ok := s.dash(t.old)
	if !ok {
		return nil, false
	}
	st, indent := s.styleOf(), s.column(dash)
	if s.line(from) == s.line(dash) {
		st.gap = from - dash
	}
	lines := st.items([]plain{value}, indent)
	lines[0] = lines[0][indent:]
	return []splice{{dash, max(end, dash+1), strings.Join(lines, s.eol())}}, true
}

// replaceValue writes a key's value anew. What follows the old value on its
// line, a comment, stays behind the new one's first line.
func (s *source) replaceValue(t target, value plain, colon, end int) []splice {
	indent := s.column(s.at(t.key))
	head, lines := " "+inline(value, handOf(t.old)), []string(nil)
	if !fits(value) {
		head, lines = s.styleOf().under(value, indent)
	}
	content := s.content(t.old)
	if s.line(content) == s.line(colon) {
		from := max(colon, s.at(t.old))
		if from == end || head == "" {
			from = colon // nothing stands there, or nothing will
		} else {
			head = strings.TrimPrefix(head, " ")
		}
		cuts := []splice{{from, max(end, from), head}}
		if len(lines) > 0 {
			cuts = append(cuts, s.below(max(end, from), lines)...)
		}
		return cuts
	}
	cuts := []splice{{colon, colon, head}}
	if anchored := s.at(t.old); s.line(anchored) == s.line(colon) {
		cuts[0].to = s.lineEnd(colon)
	}
	start := s.lineStart(content)
	if len(lines) == 0 {
		return append(cuts, s.whole(start, end))
	}
	return append(cuts, splice{start, end, strings.Join(lines, s.eol())})
}

// whole cuts lines out, from the beginning of one to the end of another.
func (s *source) whole(from, last int) splice {
	to := s.nextLine(last)
	if to == len(s.text) && s.text[to-1] != '\n' && from > s.starts[0] {
		from = s.lineEnd(s.lineStart(from - 1)) // the line end before goes instead
	}
	return splice{from, to, ""}
}

// rename writes another key, or another name of a list's entry.
func (s *source) rename(t target, name string) ([]splice, bool) {
	n := t.key
	if n == nil {
		for i := 0; i+1 < len(t.old.Content); i += 2 {
			if keyName(t.old.Content[i]) == "name" {
				n = t.old.Content[i+1]
			}
		}
	}
	if n == nil || n.Kind == yaml.AliasNode || n.Anchor != "" {
		return nil, false
	}
	end, ok := s.end(n)
	h := handOf(n)
	h.flow = t.flow || (t.key == nil && isFlow(t.old))
	return []splice{{s.at(n), end, quote(name, h)}}, ok
}
