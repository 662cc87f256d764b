package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const root = ".."

// layers says what each folder may import of ours. The first that fits counts.
var layers = []struct {
	folder  string
	allowed []string
	never   []string // of the standard library and of others
}{
	{"config", []string{"config"}, []string{"net/http", "database/sql"}},
	{"db", []string{"config", "db"}, []string{"net/http"}},
	{"mcp/client", []string{"config", "mcp/client"}, []string{"database/sql"}},
	{"mcp/bridge", []string{"mcp/bridge"}, []string{"database/sql"}},
	{"mcp/door", []string{"engine", "mcp/door"}, []string{"database/sql", "github.com/a-h/templ"}},
	{"engine", []string{"config", "db", "mcp/client", "engine"}, []string{"net/http", "github.com/a-h/templ", "github.com/mark3labs/mcp-go"}},
	{"views", []string{"views", "static"}, []string{"net/http", "database/sql"}},
	{"static", nil, []string{"net/http", "database/sql"}},
	{"handlers", []string{"config", "engine", "handlers", "views", "static", "mcp/door"}, []string{"database/sql", "github.com/jmoiron/sqlx", "github.com/lib/pq"}},
	{"docs/demo", []string{"engine"}, []string{"net/http", "database/sql"}},
	{"app", []string{"config", "db", "mcp", "engine", "handlers", "views", "static", "docs/demo"}, nil},
}

// source is one Go file of ours, parsed.
type source struct {
	path      string // from the root
	test      bool
	generated bool
	text      []byte
	file      *ast.File
}

func sources(t *testing.T, set *token.FileSet) []source {
	t.Helper()
	var all []source
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "tools" || name == "bin" || name == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(set, path, text, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		// A package named …test is a bench for the tests of others.
		test := strings.HasSuffix(name, "_test.go") || strings.HasSuffix(filepath.Dir(rel), "test")
		all = append(all, source{rel, test, ast.IsGenerated(file), text, file})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 100 {
		t.Fatalf("only %d files were found; this test looks in the wrong place", len(all))
	}
	return all
}

func under(path, folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }

func TestImportsPointOneWay(t *testing.T) {
	for _, s := range sources(t, token.NewFileSet()) {
		for _, layer := range layers {
			if !under(s.path, layer.folder) {
				continue
			}
			for _, spec := range s.file.Imports {
				name, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					t.Fatal(err)
				}
				to, ours := strings.CutPrefix(name, "crewlet/")
				if ours && !s.test && !slices.ContainsFunc(append(layer.allowed, layer.folder), func(a string) bool { return under(to, a) }) {
					t.Errorf("%s may not import %s", s.path, to)
				}
				outbound := under(s.path, "engine/outbound")
				if !s.test && slices.Contains(layer.never, name) && !outbound {
					t.Errorf("%s may not import %s", s.path, name)
				}
			}
			break
		}
	}
}

func TestEveryFileIsInALayer(t *testing.T) {
	for _, s := range sources(t, token.NewFileSet()) {
		if !slices.ContainsFunc(layers, func(l struct {
			folder  string
			allowed []string
			never   []string
		}) bool {
			return under(s.path, l.folder)
		}) {
			t.Errorf("%s is in no folder of the house", s.path)
		}
	}
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	docs := map[string]bool{}
	for _, s := range sources(t, token.NewFileSet()) {
		dir := filepath.Dir(s.path)
		if s.test {
			continue
		}
		docs[dir] = docs[dir] || s.file.Doc != nil && len(s.file.Doc.Text()) > 40
	}
	for dir, said := range docs {
		if !said {
			t.Errorf("package %s has no comment that says what it is", dir)
		}
	}
}

// The two tables are exempt from the length of a function, not of a file.
func TestRoomsAreSmall(t *testing.T) {
	set := token.NewFileSet()
	for _, s := range sources(t, set) {
		if s.generated {
			continue
		}
		if n := bytes.Count(s.text, []byte("\n")); n > 300 {
			t.Errorf("%s has %d lines; 300 is the most", s.path, n)
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || s.path == "handlers/handlers.go" || s.path == "engine/engine.go" || s.test {
				continue
			}
			if n := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1; n > 50 {
				t.Errorf("%s: %s has %d lines; 50 is the most", s.path, f.Name.Name, n)
			}
		}
	}
	pages, err := filepath.Glob(root + "/views/*/*.templ")
	if err != nil || len(pages) == 0 {
		t.Fatal(len(pages), err)
	}
	for _, path := range pages {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(text, []byte("\n")); n > 150 {
			t.Errorf("%s has %d lines; 150 is the most", path, n)
		}
	}
}

func TestNamesSayWhatTheyHold(t *testing.T) {
	for _, s := range sources(t, token.NewFileSet()) {
		for _, word := range []string{"util", "common", "helper", "manager", "base"} {
			if strings.TrimSuffix(strings.TrimSuffix(filepath.Base(s.path), ".go"), "_test") == word || s.file.Name.Name == word {
				t.Errorf("%s: %q says nothing", s.path, word)
			}
		}
		for _, spec := range s.file.Imports {
			if spec.Name != nil && spec.Name.Name != "view" && spec.Name.Name != "_" && !s.generated {
				t.Errorf("%s renames an import to %s", s.path, spec.Name.Name)
			}
		}
	}
}

func TestModuleStandsAlone(t *testing.T) {
	text, err := os.ReadFile(root + "/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(text, []byte("\nreplace")) {
		t.Error("go.mod replaces a module")
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	allowed := []string{
		"app", "views", "static", "handlers", "engine", "db", "mcp", "config", "tools", "docs",
		"Dockerfile", "compose.yaml", "Makefile", "README.md", "LICENSE", "go.mod", "go.sum", "package.json", "package-lock.json",
		"bin", "node_modules", // made, never committed
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(allowed, e.Name()) {
			t.Errorf("%s does not belong at the top", e.Name())
		}
	}
}
