package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	_ "time/tzdata" // a company's time zone is known on every machine

	"go.yaml.in/yaml/v3"
)

// Parse reads a company document strictly. It refuses unknown and duplicate
// keys, wrong types and broken rules, and reports all it found, in the order
// of the lines; the document is nil then. A text is read up to 1 MiB.
func Parse(text []byte) (*Document, Problems) {
	text = plainText(text)
	root, problems := readTree(text)
	if problems != nil {
		return nil, problems
	}
	w := newWalker()
	w.walk(root, reflect.TypeFor[Document](), rule{}, "")
	doc := newDocument()
	if root.Kind != 0 {
		// A second reading that goes on past errors, so that the rules which
		// need more than one value are checked at the same time.
		w.broken(root.Decode(&doc))
	}
	if len(w.problems) == 0 && root.Kind != 0 && !isNull(root) {
		w.readStrictly(text, doc)
	}
	if w.twofold {
		return nil, w.problems.sorted()
	}
	normalise(reflect.ValueOf(&doc).Elem(), rule{})
	doc.settle(w)
	doc.check(w)
	if len(w.problems) > 0 {
		return nil, w.problems.sorted()
	}
	return &doc, nil
}

// broken takes a reading that broke off half way: what stood behind that is
// not to be judged as left out.
func (w *walker) broken(err error) {
	if told(err) == nil {
		return
	}
	w.twofold = true
	if len(w.problems) == 0 {
		w.say("", "The document repeats itself too often with aliases (*name), or cannot be read to its end. Write out what stands behind them.")
	}
}

// readTree reads the one document of a text into nodes. A text of nothing
// but comments is a node of kind 0.
func readTree(text []byte) (*yaml.Node, Problems) {
	if problems := checkText(text); problems != nil {
		return nil, problems
	}
	var doc, second yaml.Node
	in := yaml.NewDecoder(bytes.NewReader(text))
	err := in.Decode(&doc)
	if errors.Is(err, io.EOF) {
		return &yaml.Node{}, nil
	}
	if err != nil {
		return nil, Problems{syntax(text, err)}
	}
	if err := in.Decode(&second); err == nil {
		return nil, Problems{{Line: max(second.Line, 1), Column: max(second.Column, 1),
			Says: "A second document begins here. A company is one document: take the line of three dashes out."}}
	} else if !errors.Is(err, io.EOF) {
		return nil, Problems{syntax(text, err)}
	}
	if len(doc.Content) == 0 {
		return &yaml.Node{}, nil
	}
	if tooLarge(doc.Content[0]) {
		return nil, Problems{{Line: 1, Column: 1, Says: fmt.Sprintf("The document grows past %d values or %d levels once its aliases (*name) are followed. "+
			"Write fewer aliases, or nest less.", mostNodes, deepest)}}
	}
	if wide := tooWide(doc.Content[0]); wide != nil {
		return nil, Problems{{Line: max(wide.Line, 1), Column: max(wide.Column, 1),
			Says: fmt.Sprintf("This map has more than %d keys. No part of a company has so many.", mostKeys)}}
	}
	return doc.Content[0], nil
}

// tooWide finds a map with more keys than are compared with each other in good
// time: the reader looks at every pair of them.
func tooWide(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.MappingNode && len(n.Content) > 2*mostKeys {
		return n
	}
	for _, child := range n.Content { // aliases point at what is walked anyway
		if wide := tooWide(child); wide != nil {
			return wide
		}
	}
	return nil
}

// How much a document may hold once its aliases are followed: far more than
// a company needs, far less than a machine minds.
const (
	mostNodes = 200_000
	mostKeys  = 1_000
	deepest   = 64
)

// tooLarge follows every alias, so that a few lines that repeat each other
// are found out before anything is decoded. An anchor inside itself is
// endlessly deep.
func tooLarge(root *yaml.Node) bool {
	nodes := 0
	var count func(n *yaml.Node, depth int) bool
	count = func(n *yaml.Node, depth int) bool {
		if nodes++; nodes > mostNodes || depth > deepest {
			return true
		}
		if n.Kind == yaml.AliasNode {
			return count(n.Alias, depth+1)
		}
		return slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return count(c, depth+1) })
	}
	return count(root, 0)
}
