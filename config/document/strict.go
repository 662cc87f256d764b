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
	switch a.Kind() {
	case reflect.String:
		return path, !slices.Equal(strings.Fields(a.String()), strings.Fields(b.String()))
	case reflect.Struct:
		return differFields(a, b, path)
	case reflect.Slice, reflect.Map:
		if a.Len() != b.Len() || a.IsNil() != b.IsNil() {
			return path, true
		}
		return differEntries(a, b, path)
	}
	return path, !reflect.DeepEqual(a.Interface(), b.Interface())
}

func differEntries(a, b reflect.Value, path string) (string, bool) {
	for k, mine := range a.Seq2() {
		if a.Kind() == reflect.Slice {
			if at, ok := differ(mine, b.Index(int(k.Int())), index(path, int(k.Int()))); ok {
				return at, true
			}
			continue
		}
		other, at := b.MapIndex(k), key(path, k.String())
		if !other.IsValid() {
			return at, true
		}
		if at, ok := differ(mine, other, at); ok {
			return at, true
		}
	}
	return "", false
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
