package document_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"crewlet/config/document"
)

func seeds(f *testing.F) [][]byte {
	f.Helper()
	texts := [][]byte{nil, []byte(full), document.Starter("Acme")}
	paths, err := filepath.Glob("testdata/edit/*.in.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		texts = append(texts, text)
	}
	return texts
}

// FuzzParse: a text is a document or has problems, each on a line it has.
func FuzzParse(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, problems := document.Parse(text)
		if (d == nil) != (len(problems) > 0) {
			t.Fatalf("document %v, problems %v", d != nil, problems)
		}
		for _, p := range problems {
			if p.Line < 1 || p.Line > bytes.Count(text, []byte("\n"))+1 || p.Column < 1 || p.Says == "" {
				t.Errorf("a problem of nowhere: %+v", p)
			}
		}
		if d != nil {
			document.References(d)
		}
	})
}

// FuzzExpand: what has no dollar is itself; an escaped text is itself again.
func FuzzExpand(f *testing.F) {
	for _, s := range []string{"", "${A}", "$${A}", "$$${A}${", "${A:-b}", "é${_1}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		same := func(name string) (string, bool) { return "${" + name + "}", true }
		if got, missing := document.Expand(s, same); len(missing) > 0 || (!strings.Contains(s, "$${") && got != s) {
			t.Errorf("Expand(%q) = %q, missing %v", s, got, missing)
		}
		escaped := strings.ReplaceAll(s, "${", "$${")
		if got, _ := document.Expand(escaped, same); !strings.Contains(s, "$$") && got != s {
			t.Errorf("Expand(%q) = %q, want %q", escaped, got, s)
		}
	})
}

// FuzzApply: an edit is refused, or the result is readable and the same edit
// taken back says what was said before.
func FuzzApply(f *testing.F) {
	ops := []string{"add", "replace", "remove", "rename"}
	for _, text := range seeds(f) {
		for i := range ops {
			f.Add(text, i, "/mcp_servers/0", `{"name":"a","env":{"X":"a: b"},"args":["-y",null,1.5,"two\nlines"]}`, "new name")
			f.Add(text, i, "/mcp_servers/0/command", `"x"`, "command2")
		}
		f.Add(text, 0, "/mcp_servers/-", `{"name":"a"}`, "")
	}
	f.Fuzz(func(t *testing.T, text []byte, op int, path, value, name string) {
		edit := document.Edit{Op: ops[uint(op)%4], Path: path, Value: json.RawMessage(value), Name: name}
		next, err := document.Apply(text, edit)
		if err != nil && next != nil {
			t.Fatalf("a text beside %v", err)
		}
		if err != nil || edit.Op != "add" || strings.Contains(path, "/-") {
			return
		}
		if _, err := document.Apply(next, document.Edit{Op: "replace", Path: path, Value: json.RawMessage(value)}); err != nil {
			t.Errorf("what was added cannot be replaced by itself: %v\n%s", err, next)
		}
	})
}
