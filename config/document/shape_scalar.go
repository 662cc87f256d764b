package document

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"crewlet/config/nearest"
)

func (w *walker) scalar(n *yaml.Node, t reflect.Type, r rule, path string) {
	switch t.Kind() {
	case reflect.Bool:
		if n.Tag != "!!bool" {
			w.misshapen(path, "must be true or false, but is %s.", what(n))
		}
	case reflect.Int:
		v, err := strconv.Atoi(n.Value)
		if n.Tag != "!!int" || err != nil {
			w.misshapen(path, "must be a whole number from %d to %d, but is %s.", r.low, r.high, what(n))
		} else if v < r.low || v > r.high {
			w.misshapen(path, "is %d. It must be from %d to %d.", v, r.low, r.high)
		}
	default:
		w.text(n, r, path)
	}
}

// text checks a scalar that should be text against its rule.
func (w *walker) text(n *yaml.Node, r rule, path string) {
	if n.Kind != yaml.ScalarNode {
		w.misshapen(path, "must be text, but is %s.", what(n))
		return
	}
	if n.Tag != "!!str" {
		w.misshapen(path, "must be text, but YAML reads it as %s. Put quotes around it.", what(n))
		return
	}
	if len(r.oneof) > 0 {
		if !slices.Contains(r.oneof, n.Value) {
			w.misshapen(path, "%s", notOneOf(n.Value, r.oneof))
		}
		return
	}
	if says := r.refuses(n.Value); says != "" {
		w.misshapen(path, "%s", says)
	}
}

func notOneOf(value string, known []string) string {
	if near := nearest.Name(value, known); near != "" {
		return fmt.Sprintf("%q is not one of %s. Did you mean %s?", clip(value), strings.Join(known, ", "), near)
	}
	return fmt.Sprintf("%q is not one of %s.", clip(value), strings.Join(known, ", "))
}

// what names the kind of a node, never its value.
func what(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a map of keys"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.Tag {
	case "!!int", "!!float":
		return "a number"
	case "!!bool":
		return "true or false"
	case "!!timestamp":
		return "a date"
	case "!!null":
		return "nothing"
	case "!!str":
		return "text"
	}
	return "something else"
}
