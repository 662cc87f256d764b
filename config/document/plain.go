package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// plain is a value without its spelling: what two texts must have in common
// to say the same.
type plain struct {
	kind yaml.Kind // ScalarNode, MappingNode or SequenceNode
	tag  string    // of a scalar
	text string    // of a scalar
	keys []string  // of a map, in order
	vals []plain   // of a map or a list
}

func (p plain) null() bool { return p.kind == yaml.ScalarNode && p.tag == "!!null" }

func (p plain) get(k string) (plain, bool) {
	for i, name := range p.keys {
		if name == k {
			return p.vals[i], true
		}
	}
	return plain{}, false
}

// equal compares values; the order of a map's keys says nothing.
func (p plain) equal(q plain) bool {
	if p.kind != q.kind || p.tag != q.tag || p.text != q.text || len(p.vals) != len(q.vals) || len(p.keys) != len(q.keys) {
		return false
	}
	for i, v := range p.vals {
		if p.kind == yaml.SequenceNode {
			if !v.equal(q.vals[i]) {
				return false
			}
			continue
		}
		if w, ok := q.get(p.keys[i]); !ok || !v.equal(w) {
			return false
		}
	}
	return true
}

// plainOf follows aliases; the tree was found small enough before. A merge
// (<<) stays an entry of that name.
func plainOf(n *yaml.Node) plain {
	switch n.Kind {
	case yaml.AliasNode:
		return plainOf(n.Alias)
	case yaml.MappingNode:
		p := plain{kind: n.Kind}
		for i := 0; i+1 < len(n.Content); i += 2 {
			p.keys = append(p.keys, keyName(n.Content[i]))
			p.vals = append(p.vals, plainOf(n.Content[i+1]))
		}
		return p
	case yaml.SequenceNode:
		p := plain{kind: n.Kind}
		for _, c := range n.Content {
			p.vals = append(p.vals, plainOf(c))
		}
		return p
	}
	if n.Kind == 0 || isNull(n) {
		return plain{kind: yaml.ScalarNode, tag: "!!null"}
	}
	return plain{kind: yaml.ScalarNode, tag: n.Tag, text: n.Value}
}

// plainFrom takes a Go value: a Server, or anything JSON can hold.
func plainFrom(v any) (plain, error) {
	switch v := v.(type) {
	case Server:
		return plainServer(v), nil
	case *Server:
		return plainServer(*v), nil
	case json.RawMessage:
		return plainJSON(v)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return plain{}, fmt.Errorf("the value cannot be written as YAML: %w", err)
	}
	return plainJSON(text)
}

func plainJSON(text []byte) (plain, error) {
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	p, err := nextPlain(in, 0)
	if err != nil {
		return plain{}, err
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return plain{}, errors.New("the value is not JSON: something follows it")
	}
	return p, nil
}

func nextPlain(in *json.Decoder, depth int) (plain, error) {
	if depth > deepest {
		return plain{}, errors.New("it is nested too deeply")
	}
	token, err := in.Token()
	if err != nil {
		return plain{}, fmt.Errorf("the value is not JSON: %w", err)
	}
	open, ok := token.(json.Delim)
	if !ok {
		return plainScalar(token), nil
	}
	p := plain{kind: yaml.SequenceNode}
	if open == '{' {
		p.kind = yaml.MappingNode
	}
	for in.More() {
		if p.kind == yaml.MappingNode {
			name, err := in.Token()
			if err != nil {
				return plain{}, fmt.Errorf("the value is not JSON: %w", err)
			}
			if _, twice := p.get(fmt.Sprint(name)); twice {
				return plain{}, fmt.Errorf("the key %q stands in it twice", clip(fmt.Sprint(name)))
			}
			p.keys = append(p.keys, fmt.Sprint(name))
		}
		v, err := nextPlain(in, depth+1)
		if err != nil {
			return plain{}, err
		}
		p.vals = append(p.vals, v)
	}
	if _, err = in.Token(); err != nil {
		return plain{}, fmt.Errorf("the value is not JSON: %w", err)
	}
	return p, nil
}

func plainScalar(token json.Token) plain {
	p := plain{kind: yaml.ScalarNode, tag: "!!null"}
	switch v := token.(type) {
	case bool:
		p.tag, p.text = "!!bool", fmt.Sprint(v)
	case json.Number:
		p.tag, p.text = "!!int", v.String()
		if strings.ContainsAny(p.text, ".eE") {
			p.tag = "!!float"
		}
	case string:
		p.tag, p.text = "!!str", v
	}
	return p
}
