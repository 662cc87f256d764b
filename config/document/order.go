package document

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// typeAt is the type of what a pointer leads to, or nil where the document
// has no such place.
func typeAt(steps []string) reflect.Type {
	t := reflect.TypeFor[Document]()
	for _, step := range steps {
		if t = inside(t, step); t == nil {
			return nil
		}
	}
	return t
}

func inside(t reflect.Type, step string) reflect.Type {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Struct:
		if f, ok := fieldOf(t, step); ok {
			return f.Type
		}
	case reflect.Map, reflect.Slice:
		return t.Elem()
	}
	return nil
}

// ordered puts the keys of a value in the order in which the document's
// types declare them: name first. Keys without a place come last, as given.
func (p plain) ordered(t reflect.Type) plain {
	if t == nil {
		return p
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if p.kind == yaml.MappingNode && t.Kind() == reflect.Struct {
		p = p.sorted(keysOf(t))
	}
	vals := make([]plain, len(p.vals))
	for i, v := range p.vals {
		step := strconv.Itoa(i)
		if p.kind == yaml.MappingNode {
			step = p.keys[i]
		}
		vals[i] = v.ordered(inside(t, step))
	}
	p.vals = vals
	return p
}

func (p plain) sorted(order []string) plain {
	at := make([]int, len(p.keys))
	for i := range at {
		at[i] = i
	}
	place := func(i int) int {
		if n := slices.Index(order, p.keys[i]); n >= 0 {
			return n
		}
		return len(order)
	}
	slices.SortStableFunc(at, func(a, b int) int { return place(a) - place(b) })
	q := plain{kind: p.kind}
	for _, i := range at {
		q.keys, q.vals = append(q.keys, p.keys[i]), append(q.vals, p.vals[i])
	}
	return q
}

// plainServer writes a server's entry: what differs from the defaults, in
// the order of its fields.
func plainServer(s Server) plain {
	return plainStruct(reflect.ValueOf(s), reflect.ValueOf(NewServer()))
}

func plainStruct(v, otherwise reflect.Value) plain {
	p := plain{kind: yaml.MappingNode}
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get("yaml")
		if name == "" || name == "-" || same(v.Field(i), otherwise.Field(i)) {
			continue
		}
		p.keys = append(p.keys, name)
		p.vals = append(p.vals, plainValue(v.Field(i), otherwise.Field(i)))
	}
	return p
}

// same takes an empty list or map for one that was left out.
func same(a, b reflect.Value) bool {
	if a.Kind() == reflect.Slice || a.Kind() == reflect.Map {
		return a.Len() == 0 && b.Len() == 0
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

func plainValue(v, otherwise reflect.Value) plain {
	switch value := v.Interface().(type) {
	case Duration:
		return plain{kind: yaml.ScalarNode, tag: "!!str", text: value.String()}
	case Hints:
		return plainHints(value)
	case *Auth:
		usual := Auth{Type: "oauth", Redirect: "node"}
		if reflect.DeepEqual(*value, usual) || reflect.DeepEqual(*value, Auth{}) {
			return plain{kind: yaml.ScalarNode, tag: "!!str", text: "oauth"}
		}
		usual.Type = "" // a map of options says what it is
		return plainStruct(reflect.ValueOf(*value), reflect.ValueOf(usual))
	}
	switch v.Kind() {
	case reflect.Struct:
		return plainStruct(v, otherwise)
	case reflect.Bool:
		return plain{kind: yaml.ScalarNode, tag: "!!bool", text: strconv.FormatBool(v.Bool())}
	case reflect.Int:
		return plain{kind: yaml.ScalarNode, tag: "!!int", text: strconv.FormatInt(v.Int(), 10)}
	case reflect.Slice, reflect.Map:
		return plainEntries(v)
	}
	return plain{kind: yaml.ScalarNode, tag: "!!str", text: v.String()}
}

func plainEntries(v reflect.Value) plain {
	p := plain{kind: yaml.SequenceNode}
	if v.Kind() == reflect.Slice {
		for i := range v.Len() {
			p.vals = append(p.vals, plainValue(v.Index(i), v.Index(i)))
		}
		return p
	}
	p.kind = yaml.MappingNode
	keys := slices.SortedFunc(slices.Values(v.MapKeys()), func(a, b reflect.Value) int {
		return strings.Compare(a.String(), b.String())
	})
	for _, k := range keys {
		p.keys = append(p.keys, k.String())
		p.vals = append(p.vals, plainValue(v.MapIndex(k), v.MapIndex(k)))
	}
	return p
}

func plainHints(h Hints) plain {
	p := plain{kind: yaml.MappingNode}
	for i, v := range []*bool{h.ReadOnly, h.Destructive, h.Idempotent, h.OpenWorld} {
		if v != nil {
			p.keys = append(p.keys, hintKeys()[i])
			p.vals = append(p.vals, plain{kind: yaml.ScalarNode, tag: "!!bool", text: strconv.FormatBool(*v)})
		}
	}
	return p
}
