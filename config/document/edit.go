package document

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Edit is one change of a text, at a place given by an RFC 6901 pointer such
// as /mcp_servers/2/env/TOKEN.
//
//	add      a new key of a map, or a list's entry before the index given or, at -, at the end;
//	         lists and maps missing on the way are made. What is there already is refused.
//	replace  the value there; a map is changed key by key, so comments between its keys stay.
//	remove   the key or the entry there. Comments around it stay.
//	rename   the key there, or the name: of the list's entry there.
type Edit struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"` // a Server, or anything JSON can hold (json.RawMessage too)
	Name  string `json:"name,omitempty"`  // the new name, for rename
}

// EditError is an edit that was not made, and why. Nothing was changed.
type EditError struct {
	Path string
	Says string
}

// Error is the sentence, after the place.
func (e *EditError) Error() string { return e.Path + ": " + e.Says }

// Apply makes edits one after the other and hands back the new text, or the
// first error and no text. It cuts and inserts whole lines (or, where the
// author wrote [ ] and { }, what stands between them) in the author's own
// line ends and indentation; every other byte stays. The result is read
// again and given up unless it says what the edits say, and nothing else.
// Whether it is a valid company is for Parse to say.
func Apply(text []byte, edits ...Edit) ([]byte, error) {
	for _, e := range edits {
		next, err := apply(text, e)
		if err != nil {
			return nil, err
		}
		text = next
	}
	return text, nil
}

func apply(text []byte, e Edit) ([]byte, error) {
	steps, err := parsePointer(e.Path)
	if err != nil {
		return nil, err
	}
	change := change{op: e.Op, steps: steps, name: e.Name, path: e.Path}
	switch e.Op {
	case "add", "replace":
		value, err := plainFrom(e.Value)
		if err != nil {
			return nil, change.no("%s.", err)
		}
		change.value = value.ordered(typeAt(withoutDash(steps)))
	case "rename":
		if e.Name == "" {
			return nil, change.no("there is no new name. Give one.")
		}
	case "remove":
	default:
		return nil, change.no("%q is no edit. Write add, replace, remove or rename.", clip(e.Op))
	}
	before, problems := readSource(text)
	if problems != nil {
		return nil, problems
	}
	want, err := change.meant(plainOf(before.root))
	if err != nil {
		return nil, err
	}
	next, err := change.written(before)
	if err != nil {
		return nil, err
	}
	after, problems := readSource(next)
	if problems != nil || !plainOf(after.root).equal(orEmpty(want)) {
		return nil, change.no("the text around it is written in a way that cannot be changed here without touching more. Change it in the text editor.")
	}
	return next, nil
}

// orEmpty: a document whose last key is gone reads as nothing at all.
func orEmpty(p plain) plain {
	if p.kind == yaml.MappingNode && len(p.keys) == 0 {
		return plain{kind: yaml.ScalarNode, tag: "!!null"}
	}
	return p
}

// change is an edit with its pointer and value read.
type change struct {
	op    string
	steps []string
	value plain
	name  string
	path  string
}

func (c change) no(format string, args ...any) error {
	return &EditError{Path: c.path, Says: fmt.Sprintf(format, args...)}
}

// splice is a stretch of the text and what stands there afterwards.
type splice struct {
	from, to int
	text     string
}

func (s *source) spliced(cuts []splice) []byte {
	slices.SortStableFunc(cuts, func(a, b splice) int { return a.from - b.from })
	var out []byte
	pos := 0
	for _, c := range cuts {
		out = append(out, s.text[pos:max(c.from, pos)]...)
		out = append(out, c.text...)
		pos = max(c.to, pos)
	}
	return append(out, s.text[pos:]...)
}

func parsePointer(path string) ([]string, error) {
	if !strings.HasPrefix(path, "/") {
		return nil, &EditError{path, "is no pointer. Write one like /mcp_servers/0/env."}
	}
	steps := strings.Split(path[1:], "/")
	for i, s := range steps {
		steps[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(s)
	}
	return steps, nil
}

// Pointer is the RFC 6901 pointer to the steps given: map keys and indexes.
func Pointer(steps ...string) string {
	var b strings.Builder
	for _, s := range steps {
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(s))
	}
	return b.String()
}

func withoutDash(steps []string) []string {
	out := slices.Clone(steps)
	for i := range out {
		if out[i] == "-" {
			out[i] = "0"
		}
	}
	return out
}
