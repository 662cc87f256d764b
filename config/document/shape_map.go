package document

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// pair is an entry of a map.
type pair struct{ key, value *yaml.Node }

// pairs are the entries of a map, merged ones (<<) included where the map
// has no entry of its own. Keys that are not text, and duplicates, are
// reported and left out.
func (w *walker) pairs(n *yaml.Node, path string) []pair {
	var out, merged []pair
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if k.Kind == yaml.AliasNode {
			k = k.Alias
		}
		if k.Tag == "!!merge" {
			at := key(path, "<<")
			w.places[at] = place{k.Line, k.Column}
			if i > 0 { // readers differ on whether a later one overrides what stands before it
				w.misshapen(at, "merges a map after other keys. Move it up, to be the first key of its map.")
			}
			merged = append(merged, w.merge(v, path)...)
			continue
		}
		if k.Kind != yaml.ScalarNode || k.Tag != "!!str" || k.Value == "" || k.Style&yaml.TaggedStyle != 0 {
			w.places[path+"?"] = place{k.Line, k.Column}
			w.misshapen(path+"?", "A key here is not text. Put quotes around a number or a word like true that is meant as a name.")
			continue
		}
		if line, twice := seen[k.Value]; twice {
			w.twofold = true
			w.problems = append(w.problems, Problem{key(path, k.Value), k.Line, k.Column,
				fmt.Sprintf("stands here for the second time; the first is on line %d. Keep one of the two.", line)})
			continue
		}
		seen[k.Value] = k.Line
		out = append(out, pair{n.Content[i], v})
	}
	for _, p := range merged {
		if _, own := seen[p.key.Value]; !own {
			seen[p.key.Value] = p.key.Line
			out = append(out, p)
		}
	}
	return out
}

func (w *walker) merge(v *yaml.Node, path string) []pair {
	from := []*yaml.Node{v}
	if v.Kind == yaml.SequenceNode {
		from = v.Content
	}
	var out []pair
	for _, f := range from {
		f, ok := w.enter(f, path)
		if !ok || f.Kind != yaml.MappingNode {
			w.misshapen(key(path, "<<"), "merges something that is not a map. Name an anchor that stands on a map.")
			continue
		}
		out = append(out, w.pairs(f, path)...)
	}
	return out
}
