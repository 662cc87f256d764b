package handlers

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"crewlet/engine/enginetest"
	"crewlet/engine/tool"
	"crewlet/handlers/live"
	"crewlet/handlers/node"
)

var update = flag.Bool("update", false, "write testdata anew instead of comparing with it")

// entry is a tool as its callers know it: the contract of every door.
type entry struct {
	Name      string     `json:"name"`
	Title     string     `json:"title"`
	Brief     string     `json:"brief"`
	Access    string     `json:"access"`
	Audience  string     `json:"audience"`
	Mode      string     `json:"mode"`
	Hints     []string   `json:"hints"`
	Once      bool       `json:"once,omitempty"`
	Arguments []argument `json:"arguments"`
}

type argument struct {
	Name     string `json:"name"`
	Kind     string `json:"kind"`
	Rules    string `json:"rules,omitempty"`
	Describe string `json:"description,omitempty"`
}

func entryOf(t tool.Tool) entry {
	e := entry{
		Name: t.Name, Title: t.Title, Brief: t.Brief, Access: t.Access.String(), Audience: audience(t.Audience),
		Mode: []string{"write", "read", "outside"}[t.Mode], Hints: []string{}, Once: t.Once, Arguments: []argument{},
	}
	for name, set := range map[string]bool{"destructive": t.Hints.Destructive, "idempotent": t.Hints.Idempotent, "open_world": t.Hints.OpenWorld} {
		if set {
			e.Hints = append(e.Hints, name)
		}
	}
	slices.Sort(e.Hints)
	for _, f := range reflect.VisibleFields(t.Arguments) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.Anonymous && name != "" && name != "-" {
			e.Arguments = append(e.Arguments, argument{name, kind(f.Type), f.Tag.Get("validate"), f.Tag.Get("jsonschema")})
		}
	}
	return e
}

func audience(a tool.Audience) string {
	switch a {
	case tool.PageOnly:
		return "page"
	case tool.Operators:
		return "operators"
	case tool.Seats:
		return "seats"
	default:
		return "operators, seats"
	}
}

// kind is what JSON calls a type.
func kind(t reflect.Type) string {
	if t == reflect.TypeFor[json.RawMessage]() {
		return "any"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return kind(t.Elem())
	case reflect.Slice:
		return "list of " + kind(t.Elem())
	case reflect.Map, reflect.Struct:
		return "object"
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "text"
	default:
		return "number"
	}
}

func TestTheCatalogueIsAsPublished(t *testing.T) {
	t.Parallel()
	entries := []entry{}
	for _, one := range enginetest.New(t).Tools {
		entries = append(entries, entryOf(one))
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.Name, b.Name) })
	for i, e := range entries {
		if i > 0 && entries[i-1].Name == e.Name {
			t.Errorf("%s is declared twice", e.Name)
		}
		if e.Title == "" {
			t.Errorf("%s has no title", e.Name)
		}
		if undescribed := slices.IndexFunc(e.Arguments, func(a argument) bool { return a.Describe == "" }); undescribed >= 0 && e.Audience != "page" {
			t.Errorf("%s does not describe its argument %s", e.Name, e.Arguments[undescribed].Name)
		}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(entries); err != nil {
		t.Fatal(err)
	}
	golden(t, "tools.json", out.Bytes())
}

// Every field of a service that is a use case has to be in the catalogue: one
// that is not has no snapshot and no row below.
func TestEveryDeclarationIsInTheCatalogue(t *testing.T) {
	t.Parallel()
	b := enginetest.New(t)
	listed := map[string]bool{}
	for _, one := range b.Tools {
		listed[one.Name] = true
	}
	for _, service := range []any{b.Identity, b.Org, b.Company, b.Secrets, b.History, b.Servers} {
		v := reflect.ValueOf(service).Elem()
		found := 0
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Type.Kind() != reflect.Struct {
				continue
			}
			spec := v.Field(i).FieldByName("Spec")
			if !spec.IsValid() || spec.Type() != reflect.TypeFor[tool.Spec]() {
				continue
			}
			found++
			if name := spec.FieldByName("Name").String(); !listed[name] {
				t.Errorf("%s.%s declares %q, which is not in Tools()", v.Type(), f.Name, name)
			}
		}
		if found == 0 {
			t.Errorf("%s declares nothing; this test looks in the wrong place", v.Type())
		}
	}
}

func TestTheAuthorityTableIsAsPrinted(t *testing.T) {
	t.Parallel()
	b := enginetest.New(t)
	var lines []string
	for _, one := range b.Tools {
		lines = append(lines, fmt.Sprintf("tool   %-58s %-9s %s", one.Name, audience(one.Audience), one.Access))
	}
	slices.Sort(lines)
	seen := map[string]bool{}
	for _, route := range Routes(b.Engine, &node.Handlers{}, &live.Handlers{}, nil) {
		if route.Access.Rule == "" {
			t.Errorf("%s has no row of the authority table", route.Pattern)
		}
		if seen[route.Pattern] {
			t.Errorf("%s stands twice in the route table", route.Pattern)
		}
		seen[route.Pattern] = true
		lines = append(lines, fmt.Sprintf("route  %-58s %-9s %s", route.Pattern, []string{"anyone", "page", "page", "api"}[route.Kind], route.Access))
	}
	golden(t, "access.txt", []byte(strings.Join(lines, "\n")+"\n"))
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	had, has := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	for _, line := range had {
		if !slices.Contains(has, line) {
			t.Errorf("%s: no longer %s", name, line)
		}
	}
	for _, line := range has {
		if !slices.Contains(had, line) {
			t.Errorf("%s: now %s", name, line)
		}
	}
	t.Errorf("%s differs; when it is meant, write it anew with -update", name)
}
