package document

import (
	"bytes"
	"errors"
	"io"
	"reflect"

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
