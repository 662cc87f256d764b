package document

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// remove takes an entry out. The last one leaves an empty map or list behind.
func (s *source) remove(t target) ([]splice, bool) {
	n := len(t.in.Content)
	if t.in.Kind == yaml.MappingNode {
		n /= 2
	}
	if t.flow {
		return s.removeFlow(t)
	}
	if n == 1 {
		return s.removeLast(t)
	}
	from, end, ok := s.extent(t.in, t.i)
	if !ok {
		return nil, false
	}
	if s.blankBefore(from) {
		return []splice{s.whole(s.lineStart(from), end)}, true
	}
	// Its first line is the end of something else's: the next entry moves up.
	if t.i+1 < n {
		next, _, ok := s.extent(t.in, t.i+1)
		if ok && len(bytes.TrimSpace(s.text[end:next])) == 0 {
			return []splice{{from, next, ""}}, true
		}
	}
	return []splice{{from, end, ""}}, true
}

// extent is where the i-th entry of a block collection begins, at its key or
// its dash, and where it ends.
func (s *source) extent(in *yaml.Node, i int) (from, end int, ok bool) {
	if in.Kind == yaml.MappingNode {
		end, ok = s.pairEnd(in, i)
		return s.at(in.Content[2*i]), end, ok
	}
	if from, ok = s.dash(in.Content[i]); !ok {
		return 0, 0, false
	}
	end, ok = s.end(in.Content[i])
	return from, max(end, from+1), ok
}

// removeLast writes [] or {} in the place of a collection that loses its
// only entry. A whole document becomes nothing.
func (s *source) removeLast(t target) ([]splice, bool) {
	if len(t.path) == 1 {
		from, end, ok := s.extent(t.in, 0)
		return []splice{s.whole(s.lineStart(from), end)}, ok
	}
	outer := target{in: t.path[len(t.path)-2], old: t.in, path: t.path[:len(t.path)-1]}
	for i, c := range outer.in.Content {
		if c == t.in {
			outer.i = i
			if outer.in.Kind == yaml.MappingNode {
				outer.key, outer.i = outer.in.Content[i-1], i/2
			}
		}
	}
	return s.replace(outer, plain{kind: t.in.Kind})
}
