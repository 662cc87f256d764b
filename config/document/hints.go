package document

import (
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"crewlet/config/nearest"
)

// hintKeys are the keys of a tool's hints, in both spellings.
func hintKeys() []string {
	return []string{
		"read_only", "destructive", "idempotent", "open_world",
		"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint",
	}
}

// UnmarshalYAML reads hints, in snake_case or in MCP's camelCase.
func (h *Hints) UnmarshalYAML(read func(any) error) error {
	var written map[string]*bool
	if err := told(read(&written)); err != nil {
		return err
	}
	fields := []**bool{&h.ReadOnly, &h.Destructive, &h.Idempotent, &h.OpenWorld}
	for name, value := range written {
		if i := slices.Index(hintKeys(), name); i >= 0 && value != nil {
			*fields[i%len(fields)] = value
		}
	}
	return nil
}

func (Hints) shape(w *walker, n *yaml.Node, _ rule, path string) {
	if n.Kind != yaml.MappingNode {
		w.misshapen(path, "must be a map of hints (%s), each true or false, but is %s.", strings.Join(hintKeys()[:4], ", "), what(n))
		return
	}
	said := map[int]string{}
	for _, p := range w.pairs(n, path) {
		name := keyName(p.key)
		here := key(path, name)
		w.places[here] = place{p.key.Line, p.key.Column}
		i := slices.Index(hintKeys(), name)
		if i < 0 {
			near := nearest.Name(name, hintKeys())
			if near == "" {
				near = strings.Join(hintKeys()[:4], ", ")
			}
			w.misshapen(here, "There is no hint %q. Did you mean %s?", clip(name), near)
			continue
		}
		if other, twice := said[i%4]; twice {
			w.misshapen(here, "says the same as %s. Keep one of the two spellings.", other)
		}
		said[i%4] = name
		w.member(p.value, reflect.TypeFor[bool](), rule{}, here)
	}
}
