package paste

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"crewlet/config/document"
)

// readYAML reads one YAML document into values.
func readYAML(text []byte) (*value, error) {
	var doc, second yaml.Node
	in := yaml.NewDecoder(bytes.NewReader(text))
	if err := in.Decode(&doc); err != nil {
		return nil, misread(text)
	}
	if err := in.Decode(&second); err == nil {
		return nil, problem(second.Line, "A second YAML document begins here. Paste one, or take the line of three dashes out.")
	} else if !errors.Is(err, io.EOF) {
		return nil, misread(text)
	}
	if len(doc.Content) == 0 {
		return nil, problem(1, "Nothing but comments was pasted.")
	}
	r := yamlReader{}
	return r.value(doc.Content[0], 0)
}

// misread says what is wrong with a text that is no YAML, and where: the
// company document's reader knows both.
func misread(text []byte) error {
	if _, problems := document.Parse(text); len(problems) > 0 {
		return problems[:1]
	}
	return problem(1, "This is neither JSON nor YAML.")
}

type yamlReader struct{ nodes int }

// value follows aliases as it goes, so the bounds hold for what they grow to.
func (r *yamlReader) value(n *yaml.Node, depth int) (*value, error) {
	if r.nodes++; r.nodes > mostNodes || depth > deepest {
		return nil, problem(n.Line, "This holds more than %d values once its aliases are followed, or is nested more than %d deep. Paste the servers alone.", mostNodes, deepest)
	}
	v := &value{line: n.Line}
	switch n.Kind {
	case yaml.AliasNode:
		return r.value(n.Alias, depth+1)
	case yaml.MappingNode:
		v.kind = object
		return v, r.members(v, n, depth)
	case yaml.SequenceNode:
		v.kind = list
		for _, c := range n.Content {
			item, err := r.value(c, depth+1)
			if err != nil {
				return nil, err
			}
			v.items = append(v.items, item)
		}
		return v, nil
	}
	if strings.ContainsRune(n.Value, 0) {
		return nil, problem(n.Line, "This text holds a NUL character. Take it out.")
	}
	v.null = n.Tag == "!!null"
	v.text, v.quoted = n.Value, n.Tag == "!!str"
	return v, nil
}

func (r *yamlReader) members(v *value, n *yaml.Node, depth int) error {
	var merged []*value
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		one, err := r.value(n.Content[i+1], depth+1)
		if err != nil {
			return err
		}
		if k.Tag == "!!merge" {
			merged = append(merged, one)
			continue
		}
		if k.Kind != yaml.ScalarNode {
			return problem(k.Line, "A key is a plain word here, and this one is a list or a map.")
		}
		if v.get(k.Value) != nil {
			return problem(k.Line, "The key %q stands here for the second time. Keep one of the two.", clip(k.Value))
		}
		v.members = append(v.members, member{key: k.Value, value: one, line: k.Line})
	}
	for _, from := range merged {
		v.merge(from)
	}
	return nil
}

// merge takes over what << brings, where nothing of that key is written.
func (v *value) merge(from *value) {
	for _, item := range from.items {
		v.merge(item)
	}
	for _, m := range from.members {
		if v.get(m.key) == nil {
			v.members = append(v.members, m)
		}
	}
}
