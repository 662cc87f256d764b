package document

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// readStrictly reads the text with the strict reader, and refuses what two
// readers of YAML understand differently: edits find their places with one,
// and the company is what both say it is.
func (w *walker) readStrictly(text []byte, loose Document) {
	strict := newDocument()
	// Duplicates were looked for before; here a key that overrides a merged
	// one (<<) would count as one.
	err := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict(), yaml.AllowDuplicateMapKey()).Decode(&strict)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if at, ok := errors.AsType[yaml.Error](err); ok && at.GetToken() != nil {
		p := at.GetToken().Position
		w.problems = append(w.problems, Problem{Line: p.Line, Column: p.Column, Says: explain(at.GetMessage())})
		return
	}
	if err != nil {
		w.problems = append(w.problems, Problem{Line: 1, Column: 1, Says: explain(err.Error())})
		return
	}
	if path, ok := differ(reflect.ValueOf(strict), reflect.ValueOf(loose), ""); ok {
		w.say(path, "is written in a way that YAML readers understand differently. Put the value in double quotes, or write it more plainly.")
	}
}

// differ finds the first path at which two readings of a text differ. White
// space is not compared: the strict reader keeps less of it in texts of
// several lines than YAML says.
func differ(a, b reflect.Value, path string) (string, bool) {
	if a.Kind() == reflect.Pointer && !a.IsNil() && !b.IsNil() {
		a, b = a.Elem(), b.Elem()
	}
	switch {
	case a.Kind() == reflect.String:
		return path, !slices.Equal(strings.Fields(a.String()), strings.Fields(b.String()))
	case a.Kind() == reflect.Struct:
		return differFields(a, b, path)
	case a.Kind() == reflect.Slice && a.Len() == b.Len() && a.IsNil() == b.IsNil():
		for i := range a.Len() {
			if at, ok := differ(a.Index(i), b.Index(i), index(path, i)); ok {
				return at, true
			}
		}
		return "", false
	case a.Kind() == reflect.Map && a.Len() == b.Len():
		for it := a.MapRange(); it.Next(); {
			other := b.MapIndex(it.Key())
			if !other.IsValid() {
				return path, true
			}
			if at, ok := differ(it.Value(), other, key(path, it.Key().String())); ok {
				return at, true
			}
		}
		return "", false
	}
	return path, !reflect.DeepEqual(a.Interface(), b.Interface())
}

func differFields(a, b reflect.Value, path string) (string, bool) {
	for f, mine := range a.Fields() {
		if !f.IsExported() {
			continue
		}
		at := path
		if name := f.Tag.Get("yaml"); name != "" && name != "-" {
			at = key(path, name)
		}
		if at, ok := differ(mine, b.FieldByIndex(f.Index), at); ok {
			return at, true
		}
	}
	return "", false
}
