package document

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// meant is what the document says once the change is made.
func (c change) meant(doc plain) (plain, error) { return c.in(doc, c.steps) }

func (c change) in(p plain, steps []string) (plain, error) {
	if p.null() && c.op == "add" {
		return c.made(steps), nil
	}
	p.keys, p.vals = slices.Clone(p.keys), slices.Clone(p.vals)
	i, err := c.entry(p, steps)
	if err != nil {
		return p, err
	}
	switch {
	case i < 0: // only when adding
		p.keys, p.vals = append(p.keys, steps[0]), append(p.vals, c.made(steps[1:]))
	case len(steps) > 1:
		p.vals[i], err = c.in(p.vals[i], steps[1:])
	default:
		p, err = c.entered(p, i)
	}
	return p, err
}

// entered makes the change at the i-th entry.
func (c change) entered(p plain, i int) (plain, error) {
	switch c.op {
	case "add":
		p.vals = slices.Insert(p.vals, i, c.value)
	case "replace":
		p.vals[i] = c.value
	case "rename":
		return p, c.renamed(p, i)
	case "remove":
		p.vals = slices.Delete(p.vals, i, i+1)
		if p.kind == yaml.MappingNode {
			p.keys = slices.Delete(p.keys, i, i+1)
		}
	}
	return p, nil
}

// made builds what is missing on the way to an added value.
func (c change) made(steps []string) plain {
	v := c.value
	for _, step := range slices.Backward(steps) {
		if step == "-" || step == "0" {
			v = plain{kind: yaml.SequenceNode, vals: []plain{v}}
		} else {
			v = plain{kind: yaml.MappingNode, keys: []string{step}, vals: []plain{v}}
		}
	}
	return v
}

// entry is the index of the next step's entry, -1 for a missing key that
// may be made.
func (c change) entry(p plain, steps []string) (int, error) {
	last := len(steps) == 1
	switch p.kind {
	case yaml.MappingNode:
		i := slices.Index(p.keys, steps[0])
		if i < 0 && c.op != "add" {
			return 0, c.no("there is no key %q. %s", clip(steps[0]), unknown(steps[0], p.keys, "The map is empty."))
		}
		if i >= 0 && last && c.op == "add" {
			return 0, c.no("the key %q is there already. Replace it instead.", clip(steps[0]))
		}
		return i, nil
	case yaml.SequenceNode:
		return c.listEntry(p, steps[0], c.op == "add" && last)
	}
	return 0, c.no("%q leads into something that is neither a map nor a list.", clip(steps[0]))
}

// listEntry reads an index. Where an entry is added, the end of the list is
// one as well.
func (c change) listEntry(p plain, step string, added bool) (int, error) {
	most := len(p.vals) - 1
	if added {
		if most++; step == "-" {
			return most, nil
		}
	}
	n, err := strconv.Atoi(step)
	if err != nil || n < 0 || n > most || strconv.Itoa(n) != step {
		return 0, c.no("%q is no entry of this list, which has %d. Entries are counted from 0.", clip(step), len(p.vals))
	}
	return n, nil
}

func (c change) renamed(p plain, i int) error {
	if p.kind == yaml.MappingNode {
		if slices.Contains(p.keys, c.name) {
			return c.no("the key %q is there already. Choose another name.", clip(c.name))
		}
		p.keys[i] = c.name
		return nil
	}
	old, ok := p.vals[i].get("name")
	if !ok || old.kind != yaml.ScalarNode {
		return c.no("the entry has no name: that could be changed.")
	}
	v := p.vals[i]
	v.vals = slices.Clone(v.vals)
	v.vals[slices.Index(v.keys, "name")] = plain{kind: yaml.ScalarNode, tag: "!!str", text: c.name}
	p.vals[i] = v
	return nil
}

// written is the text once the change is made.
func (c change) written(s *source) ([]byte, error) {
	t, err := c.find(s)
	if err != nil {
		return nil, err
	}
	if c.op == "replace" && t.old != nil && t.old.Kind == yaml.MappingNode && c.value.kind == yaml.MappingNode && len(c.value.keys) > 0 && len(t.old.Content) > 0 {
		return c.keyByKey(s, plainOf(t.old))
	}
	cuts, err := c.cuts(s, t)
	if err != nil {
		return nil, err
	}
	return s.spliced(cuts), nil
}

// keyByKey replaces a map by changing only what differs.
func (c change) keyByKey(s *source, old plain) ([]byte, error) {
	var edits []change
	sub := func(op, k string, v plain) {
		steps := append(slices.Clone(c.steps), k)
		edits = append(edits, change{op: op, steps: steps, value: v, path: c.path})
	}
	for i, k := range c.value.keys {
		was, there := old.get(k)
		switch {
		case !there:
			sub("add", k, c.value.vals[i])
		case !was.equal(c.value.vals[i]):
			sub("replace", k, c.value.vals[i])
		}
	}
	for _, k := range old.keys {
		if _, stays := c.value.get(k); !stays {
			sub("remove", k, plain{})
		}
	}
	text := s.text
	for _, e := range edits {
		next, problems := readSource(text)
		if problems != nil {
			return nil, problems
		}
		var err error
		if text, err = e.written(next); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// cuts plans the change of the text.
func (c change) cuts(s *source, t target) ([]splice, error) {
	var cuts []splice
	ok := false
	switch c.op {
	case "add":
		cuts, ok = s.add(t, c.value)
	case "replace":
		cuts, ok = s.replace(t, c.value)
	case "remove":
		cuts, ok = s.remove(t)
	case "rename":
		cuts, ok = s.rename(t, c.name)
	}
	if !ok {
		return nil, c.no("the text there is written in a way that cannot be changed here. Change it in the text editor, %s.", t.where(s))
	}
	return cuts, nil
}

func (t target) where(s *source) string {
	if t.in == nil {
		return "on line 1"
	}
	return "on line " + strings.TrimSpace(strconv.Itoa(s.line(s.at(t.in))+1))
}
