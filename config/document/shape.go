package document

import (
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"crewlet/config/nearest"
)

// walker compares a tree of nodes with the type it should be, and remembers
// where everything stands.
type walker struct {
	problems Problems
	places   map[string]place
	wrong    map[string]bool // paths that have a problem of shape
	inside   map[string]bool // paths that have one somewhere inside
	twofold  bool            // there is no one thing the text says: a key stands twice, or the reading broke off
}

func newWalker() *walker {
	return &walker{places: map[string]place{"": {1, 1}}, wrong: map[string]bool{}, inside: map[string]bool{}}
}

// shaper is a type that is written in more than one way.
type shaper interface {
	shape(w *walker, n *yaml.Node, r rule, path string)
}

// enough reports that more has been found than will be told: a document of a
// megabyte with a mistake on every line is not checked to its end.
func (w *walker) enough() bool { return len(w.problems) > 10*mostProblems }

// say reports a problem at a path, or at the nearest thing around it that
// stands in the text.
func (w *walker) say(path, format string, args ...any) {
	at, ok := w.places[path]
	for outer := path; !ok; at, ok = w.places[outer] {
		outer = around(outer)
	}
	w.problems = append(w.problems, Problem{path, at.line, at.column, fmt.Sprintf(format, args...)})
}

func (w *walker) spoil(path string) {
	w.wrong[path] = true
	for ; path != ""; path = around(path) {
		w.inside[path] = true
	}
	w.inside[""] = true
}

// misshapen is say for a value of a wrong type or form: rules that would
// judge the value are silent about it afterwards.
func (w *walker) misshapen(path, format string, args ...any) {
	w.spoil(path)
	w.say(path, format, args...)
}

// walk checks one node. Null is the same as leaving a key out.
func (w *walker) walk(n *yaml.Node, t reflect.Type, r rule, path string) {
	n, ok := w.enter(n, path)
	if !ok {
		return
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s, ok := reflect.Zero(t).Interface().(shaper); ok {
		s.shape(w, n, r, path)
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		w.object(n, t, path)
	case reflect.Map:
		w.entries(n, t, r, path)
	case reflect.Slice:
		w.list(n, t, r, path)
	default:
		w.scalar(n, t, r, path)
	}
}

// enter follows an alias. It is false when there is nothing to check: a
// null, or an explicit tag.
func (w *walker) enter(n *yaml.Node, path string) (*yaml.Node, bool) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind == 0 || isNull(n) {
		return nil, false
	}
	if n.Style&yaml.TaggedStyle != 0 {
		w.misshapen(path, "has a tag (!…) before its value. Take the tag out; put text in quotes if it should be text.")
		return nil, false
	}
	return n, true
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

func (w *walker) object(n *yaml.Node, t reflect.Type, path string) {
	if n.Kind != yaml.MappingNode {
		w.misshapen(path, "must be a map of keys (%s), but is %s.", strings.Join(keysOf(t), ", "), what(n))
		return
	}
	for _, p := range w.pairs(n, path) {
		if w.enough() {
			return
		}
		name := keyName(p.key)
		here := key(path, name)
		w.places[here] = place{p.key.Line, p.key.Column}
		f, ok := fieldOf(t, name)
		if !ok {
			w.spoil(here)
			w.say(here, "%s", unknownKey(path, name, keysOf(t)))
			continue
		}
		w.walk(p.value, f.Type, ruleOf(f), here)
	}
}

func keyName(k *yaml.Node) string {
	if k.Kind == yaml.AliasNode {
		return k.Alias.Value
	}
	return k.Value
}

func unknownKey(path, name string, known []string) string {
	if path == "" && name == "integrations" {
		return "This build honours no integrations. Reach an outside system through its MCP server, under mcp_servers."
	}
	if near := nearest.Name(name, known); near != "" {
		return fmt.Sprintf("There is no key %q here. Did you mean %s?", clip(name), near)
	}
	return fmt.Sprintf("There is no key %q here. The keys are %s.", clip(name), strings.Join(known, ", "))
}

func (w *walker) entries(n *yaml.Node, t reflect.Type, r rule, path string) {
	if n.Kind != yaml.MappingNode {
		w.misshapen(path, "must be a map, each name with its value, but is %s. Write NAME: value on a line of its own.", what(n))
		return
	}
	for _, p := range w.pairs(n, path) {
		here := key(path, keyName(p.key))
		w.places[here] = place{p.key.Line, p.key.Column}
		if c, bad := controlIn(keyName(p.key), false); bad || len(keyName(p.key)) > 200 {
			w.misshapen(here, "is no name: it holds a control character (U+%04X) or is longer than 200 bytes.", c)
			continue
		}
		w.member(p.value, t.Elem(), r, here)
	}
}

func (w *walker) list(n *yaml.Node, t reflect.Type, r rule, path string) {
	if n.Kind != yaml.SequenceNode {
		w.misshapen(path, "must be a list, but is %s. Begin each entry with a dash, or write [a, b].", what(n))
		return
	}
	for i, item := range n.Content {
		here := index(path, i)
		w.places[here] = place{item.Line, item.Column}
		w.member(item, t.Elem(), r, here)
		if w.wrong[here] {
			w.spoil(path) // the reader may leave the entry out, and then counts those behind it wrongly
		}
	}
}

// member is an entry of a list or a map, where null is no way to leave
// something out.
func (w *walker) member(n *yaml.Node, t reflect.Type, r rule, path string) {
	if isNull(n) && t.Kind() != reflect.Map {
		w.misshapen(path, "has no value. Write one, or take the entry out; an empty text is written \"\".")
		return
	}
	w.walk(n, t, r, path)
}
