package document

import (
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// target is the place of a change: an entry of a collection.
type target struct {
	in   *yaml.Node   // the map or list; nil for an empty document
	key  *yaml.Node   // of an entry that is there, in a map
	old  *yaml.Node   // the value that is there
	i    int          // of the entry, or where one is put
	name string       // of a key that is added
	path []*yaml.Node // from the root to in
	flow bool         // whether in stands in brackets
}

// find follows the pointer. A value that is added under something missing
// becomes that thing, added to what is there.
func (c *change) find(s *source) (target, error) {
	t := target{in: s.root}
	if s.root.Kind == 0 || isNull(s.root) {
		t.in, t.name = nil, c.steps[0]
		c.value, c.steps = c.made(c.steps[1:]), c.steps[:1]
		return t, nil
	}
	for at := 0; ; at++ {
		t.path = append(t.path, t.in)
		t.flow = t.flow || isFlow(t.in)
		t.key, t.old, t.i, t.name = nil, nil, 0, c.steps[at]
		t.pick(c.steps[at])
		last := at == len(c.steps)-1
		if !last && c.op == "add" && t.bare() {
			c.value, c.steps = c.made(c.steps[at+1:]), c.steps[:at+1]
			if last = true; t.old != nil {
				c.op = "replace"
			}
		}
		if last {
			return t, c.shared(s, t)
		}
		if t.old.Kind == yaml.AliasNode {
			return t, c.no("%q is *%s, written once on line %d for several places. Change it in the text editor.", clip(c.steps[at]), t.old.Value, t.old.Alias.Line)
		}
		t.in = t.old
	}
}

// bare reports whether nothing is there to add to: no value, null, or the
// empty brackets behind a key, which give way to lines.
func (t *target) bare() bool {
	return t.old == nil || isNull(t.old) || (t.key != nil && !t.flow && isFlow(t.old) && len(t.old.Content) == 0)
}

// hand is how texts are written in the collection: in JSON's way, where its
// keys or its texts are.
func (t *target) hand() hand {
	h := hand{flow: true}
	if len(t.in.Content) > 0 {
		h.quotes = t.in.Content[0].Style & yaml.DoubleQuotedStyle
	}
	for _, n := range append(slices.Clone(t.path), t.in.Content[:min(1, len(t.in.Content))]...) {
		if n.Kind == yaml.MappingNode && isFlow(n) && len(n.Content) > 0 && n.Content[0].Style&yaml.DoubleQuotedStyle != 0 {
			h.quotes = yaml.DoubleQuotedStyle
		}
	}
	return h
}

// handOf is how a text is written now: what takes its place is written so.
func handOf(n *yaml.Node) hand {
	if n.Kind != yaml.ScalarNode {
		return hand{}
	}
	return hand{quotes: n.Style & quoted}
}

// pick finds the entry of a step in t.in.
func (t *target) pick(step string) {
	if t.in.Kind == yaml.MappingNode {
		for t.i = 0; 2*t.i < len(t.in.Content); t.i++ {
			if keyName(t.in.Content[2*t.i]) == step {
				t.key, t.old = t.in.Content[2*t.i], t.in.Content[2*t.i+1]
				return
			}
		}
		return
	}
	n, err := strconv.Atoi(step)
	if err != nil || n > len(t.in.Content) {
		n = len(t.in.Content)
	}
	if t.i = n; n < len(t.in.Content) {
		t.old = t.in.Content[n]
	}
}

// shared refuses a change inside something that an alias repeats elsewhere,
// and the loss of an anchor that is used elsewhere.
func (c *change) shared(s *source, t target) error {
	inner := t.old
	if c.op == "add" || c.op == "rename" {
		inner = nil
	}
	held := slices.Clone(t.path)
	if inner != nil {
		held = append(held, inner)
	}
	var err error
	var look func(n *yaml.Node, inside bool)
	look = func(n *yaml.Node, inside bool) {
		inside = inside || (inner != nil && n == inner)
		if n.Kind == yaml.AliasNode && !inside && (slices.Contains(held, n.Alias) || (inner != nil && contains(inner, n.Alias))) {
			err = c.no("this is anchored as &%s and used again on line %d, which would change too. Change it in the text editor.", n.Value, n.Line)
		}
		for _, child := range n.Content {
			look(child, inside)
		}
	}
	look(s.root, false)
	return err
}

func contains(n, wanted *yaml.Node) bool {
	return n == wanted || slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return contains(c, wanted) })
}
