package document_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"crewlet/config/document"
)

func TestExpand(t *testing.T) {
	known := map[string]string{"A": "1", "NESTED": "${A}", "_b2": "x"}
	for name, c := range map[string]struct {
		value, want string
		missing     []string
	}{
		"whole":                 {"${A}", "1", nil},
		"embedded":              {"Bearer ${A}!", "Bearer 1!", nil},
		"twice":                 {"${A}${A}", "11", nil},
		"never inside a value":  {"${NESTED}", "${A}", nil},
		"a literal":             {"$${A}", "${A}", nil},
		"a literal and one":     {"$${A}${A}", "${A}1", nil},
		"a dollar before":       {"$$${A}", "$${A}", nil},
		"every other dollar":    {"$A $5 $$ ${ ${} $", "$A $5 $$ ${ ${} $", nil},
		"no name":               {"${1A} ${A B} ${A-}", "${1A} ${A B} ${A-}", nil},
		"not closed":            {"${A", "${A", nil},
		"an underscore":         {"${_b2}", "x", nil},
		"missing, each once":    {"${X}${Y}${X}${A}", "1", []string{"X", "Y"}},
		"nothing":               {"", "", nil},
		"characters of all":     {"é${A}会", "é1会", nil},
		"a reference inside":    {"${${A}}", "${1}", nil},
		"a literal not closed":  {"$${", "${", nil},
		"a default is no name":  {"${A:-x}", "${A:-x}", nil},
		"brackets in a bracket": {"{${A}}", "{1}", nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, missing := document.Expand(c.value, func(name string) (string, bool) { v, ok := known[name]; return v, ok })
			if got != c.want || !slices.Equal(missing, c.missing) {
				t.Errorf("got %q, missing %v; want %q, %v", got, missing, c.want, c.missing)
			}
		})
	}
}

func TestReferences(t *testing.T) {
	var got []string
	for _, r := range document.References(parse(t, full)) {
		got = append(got, fmt.Sprintf("%d %s %s (%s)", r.Line, r.Name, r.Path, r.Server))
	}
	want := []string{
		"20 ENG_GITHUB units[0].mcp_env.github.Authorization (github)",
		"39 LEAD_GITHUB units[0].roles[1].mcp_env.github.Authorization (github)",
		"56 FILES_TOKEN mcp_servers[0].env.TOKEN (files)",
		"73 GITHUB_HOST mcp_servers[1].url (github)",
		"79 WIKI_SECRET mcp_servers[2].auth.client_secret (wiki)",
		"96 ANTHROPIC_KEY providers.connections[0].keys[0] ()",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestMerge(t *testing.T) {
	d := parse(t, "name: A\nmcp_servers:\n- {name: h, url: 'https://h/', headers: {Authorization: a, X: b}}\n- {name: c, command: x, env: {A: a, B: b}}\n")
	h := d.MCPServers[0].Merge(map[string]string{"authorization": "unit"}, map[string]string{"Y": "seat"})
	if !reflect.DeepEqual(h, map[string]string{"authorization": "unit", "X": "b", "Y": "seat"}) {
		t.Errorf("headers: %v", h)
	}
	c := d.MCPServers[1].Merge(map[string]string{"a": "unit"}, map[string]string{"B": "seat"})
	if !reflect.DeepEqual(c, map[string]string{"A": "a", "a": "unit", "B": "seat"}) || d.MCPServers[1].Env["B"] != "b" {
		t.Errorf("env: %v, entry %v", c, d.MCPServers[1].Env)
	}
}

func TestMentionsFollowARename(t *testing.T) {
	d := parse(t, full)
	if got := document.Mentions(d, "github"); len(got) != 3 || got[2].Path != "units[0].roles[1].tools[1].server" || got[0].Line != 20 {
		t.Errorf("mentions: %+v", got)
	}
	edits, ok := document.RenameEdits(d, "github", "code")
	if !ok {
		t.Fatal("no such server")
	}
	text, err := document.Apply([]byte(full), edits...)
	if err != nil {
		t.Fatal(err)
	}
	renamed := parse(t, string(text))
	if len(document.Mentions(renamed, "code")) != 3 || len(document.Mentions(renamed, "github")) != 0 || len(text) != len(full)-4*len("ub") {
		t.Errorf("got\n%s", text)
	}
	if _, ok := document.RenameEdits(d, "none", "x"); ok {
		t.Error("a server that is not there was renamed")
	}
}

func TestMentionsGoWithTheServer(t *testing.T) {
	edits, _ := document.RemoveEdits(parse(t, full), "github")
	text, err := document.Apply([]byte(full), edits...)
	if err != nil {
		t.Fatal(err)
	}
	if left := parse(t, string(text)); len(document.Mentions(left, "github")) != 0 || len(left.MCPServers) != 3 {
		t.Errorf("got\n%s", text)
	}
}

func TestStarter(t *testing.T) {
	for name, want := range map[string]string{"Acme": "Acme", "": "My company", "yes": "yes", "a: b # c": "a: b # c", "x\ny": "My company", "Ωmega “1”": "Ωmega “1”", "12": "12"} {
		text := document.Starter(name)
		if d := parse(t, string(text)); d.Name != want {
			t.Errorf("Starter(%q) is of %q", name, d.Name)
		}
		text, err := document.Apply(text, document.Edit{Op: "add", Path: "/mcp_servers/-", Value: map[string]string{"name": "a", "command": "b"}})
		if err != nil || len(parse(t, string(text)).MCPServers) != 1 {
			t.Errorf("the first server: %v\n%s", err, text)
		}
	}
}
