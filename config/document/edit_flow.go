package document

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
)

// replaceFlow writes a key's value anew between braces.
func (s *source) replaceFlow(t target, value plain, from, end int) ([]splice, bool) {
	text := inline(value, t.hand())
	if from < end {
		return []splice{{from, end, text}}, true
	}
	if colon, ok := s.colon(t.key); ok {
		return []splice{{colon, colon, " " + text}}, true
	}
	pos, ok := s.end(t.key)
	return []splice{{pos, pos, ": " + text}}, ok
}

// flowExtent is where the i-th entry between brackets begins and ends.
func (s *source) flowExtent(in *yaml.Node, i int) (from, end int, ok bool) {
	if in.Kind == yaml.MappingNode {
		end, ok = s.pairEnd(in, i)
		return s.at(in.Content[2*i]), end, ok
	}
	end, ok = s.end(in.Content[i])
	return s.at(in.Content[i]), end, ok
}

// addFlow puts an entry between brackets: on a line of its own where the
// others have theirs.
func (s *source) addFlow(t target, value plain) ([]splice, bool) {
	text := inline(value, t.hand())
	if t.in.Kind == yaml.MappingNode {
		text = quote(t.name, t.hand()) + ": " + text
	}
	open := s.content(t.in)
	if !s.brackets(open) {
		return nil, false
	}
	if len(t.in.Content) == 0 {
		return []splice{{open + 1, open + 1, text}}, true
	}
	if t.i == 0 {
		from, _, ok := s.flowExtent(t.in, 0)
		if s.line(from) == s.line(open) {
			return []splice{{from, from, text + ", "}}, ok
		}
		if !s.blankBefore(from) {
			return []splice{{from, from, text + ", "}}, ok
		}
		start := s.remarks(from)
		return []splice{{start, start, pad(s.column(from)) + text + "," + s.eol()}}, ok
	}
	from, end, ok := s.flowExtent(t.in, t.i-1)
	if !ok {
		return nil, false
	}
	if s.line(from) == s.line(open) || !s.blankBefore(from) {
		return []splice{{end, end, ", " + text}}, true
	}
	return s.addFlowLine(end, s.eol()+pad(s.column(from))+text), true
}

// addFlowLine puts an entry on a line of its own behind the one that ends at
// end, with the comma where the author puts them, and comments left on their
// lines.
func (s *source) addFlowLine(end int, text string) []splice {
	comma := s.space(end)
	if s.text[comma] != ',' {
		if s.line(comma) == s.line(end) { // the bracket closes on this line
			return []splice{{end, end, "," + text}}
		}
		return []splice{{end, end, ","}, {s.lineEnd(end), s.lineEnd(end), text}}
	}
	next := s.space(comma + 1)
	if s.line(next) == s.line(comma) {
		return []splice{{comma + 1, comma + 1, text + ","}}
	}
	at := s.lineEnd(comma)
	return []splice{{at, at, text + ","}}
}

// removeFlow takes an entry out from between brackets, with its comma.
func (s *source) removeFlow(t target) ([]splice, bool) {
	n := len(t.in.Content)
	if t.in.Kind == yaml.MappingNode {
		n /= 2
	}
	from, end, ok := s.flowExtent(t.in, t.i)
	if !ok {
		return nil, false
	}
	behind := end
	if comma := s.space(end); comma < len(s.text) && s.text[comma] == ',' {
		behind = comma + 1
	}
	if s.blankBefore(from) && s.onlyCommentAfter(behind) && s.line(behind) == s.line(end) {
		return s.removeLine(t, n, s.whole(s.lineStart(from), behind), behind > end), true
	}
	return []splice{s.removeStretch(t, n, from, end, behind)}, true
}

// removeStretch cuts an entry out of its line, up to the next entry or from
// the one before, so that commas stay between entries. A comment in between
// stays.
func (s *source) removeStretch(t target, n, from, end, behind int) splice {
	if t.i+1 < n {
		if next, _, ok := s.flowExtent(t.in, t.i+1); ok && !bytes.ContainsAny(s.text[behind:next], "#") {
			return splice{from, next, ""}
		}
	} else if t.i > 0 {
		if _, before, ok := s.flowExtent(t.in, t.i-1); ok && !bytes.ContainsAny(s.text[before:from], "#") {
			return splice{before, end, ""}
		}
	}
	return splice{from, behind, ""}
}

// removeLine takes an entry's lines out. Where the author ends the list
// without a comma, the entry before loses its own.
func (s *source) removeLine(t target, n int, line splice, comma bool) []splice {
	cuts := []splice{line}
	if t.i == 0 || t.i+1 < n || comma {
		return cuts
	}
	if _, end, ok := s.flowExtent(t.in, t.i-1); ok {
		if at := s.space(end); s.text[at] == ',' && at < line.from {
			cuts = append(cuts, splice{at, at + 1, ""})
		}
	}
	return cuts
}

// onlyCommentAfter reports whether the rest of pos's line says nothing.
func (s *source) onlyCommentAfter(pos int) bool {
	rest := strings.TrimSpace(string(s.text[pos:s.lineEnd(pos)]))
	return rest == "" || strings.HasPrefix(rest, "#")
}
