package paste_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"crewlet/config/document"
	"crewlet/config/paste"
)

// told is an entry as the golden files hold it.
type told struct {
	Name     string
	Entry    string         // as a document declares it
	Secrets  []paste.Secret `yaml:",omitempty"`
	Homeless []string       `yaml:",omitempty"`
	Notes    []string       `yaml:",omitempty"`
}

// TestRead compares every *.in.* with its *.want.yaml. UPDATE=1 writes them.
func TestRead(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.in.*")
	if err != nil || len(paths) < 10 {
		t.Fatalf("only %d texts were found: %v", len(paths), err)
	}
	for _, path := range paths {
		name, _, _ := strings.Cut(filepath.Base(path), ".in.")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			entries, err := paste.Read(text)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, "testdata/"+name+".want.yaml", tell(t, entries))
		})
	}
}

func tell(t *testing.T, entries []paste.Entry) []byte {
	t.Helper()
	all := make([]told, 0, len(entries))
	for _, e := range entries {
		all = append(all, told{e.Name, declared(t, e.Server), e.Secrets, e.Homeless, e.Notes})
	}
	text, err := yaml.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// declared is a server as a document declares it.
func declared(t *testing.T, s document.Server) string {
	t.Helper()
	text, err := document.Apply([]byte("name: Acme\n"), document.Edit{Op: "add", Path: "/mcp_servers/-", Value: s})
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	_, entry, _ := strings.Cut(string(text), "mcp_servers:\n")
	return entry
}

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s says otherwise; got\n%s", path, got)
	}
}

// TestReadIsInOrder: what is read becomes a company document without a
// problem, and says there what it said before.
func TestReadIsInOrder(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.in.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		entries, err := paste.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Server.Command+e.Server.URL == "" {
				continue // it waits for a person, and says so
			}
			first := declared(t, e.Server)
			doc, problems := document.Parse([]byte("name: Acme\nmcp_servers:\n" + first))
			if len(problems) > 0 {
				t.Fatalf("%s, %s: %v in\n%s", path, e.Name, problems, first)
			}
			if back := declared(t, doc.MCPServers[0]); back != first {
				t.Errorf("%s, %s: went in as\n%scame back as\n%s", path, e.Name, first, back)
			}
		}
	}
}

// TestNoCredentialStays: what is read as a credential is nowhere in the entry.
func TestNoCredentialStays(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.in.*")
	if err != nil {
		t.Fatal(err)
	}
	inTheOpen := "swordfish-in-the-open" // nothing can be put into a command line
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		entries, err := paste.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			rest := strings.ReplaceAll(declared(t, e.Server), inTheOpen, "") + strings.Join(e.Notes, "\n") + strings.Join(e.Homeless, "\n")
			if strings.Contains(rest, "swordfish") {
				t.Errorf("%s, %s: a credential stays in %s", path, e.Name, rest)
			}
		}
	}
}

func TestReadRefuses(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100)
	bomb := "a: &a {x: 1, y: 2}\n"
	for c := 'b'; c < 'z'; c++ {
		was := string(c - 1)
		bomb += string(c) + ": &" + string(c) + " [*" + was + ", *" + was + ", *" + was + "]\n"
	}
	for name, c := range map[string]struct {
		text string
		line int
		says string
	}{
		"nothing":              {" \n", 1, "Nothing was pasted"},
		"comments":             {"// later\n", 1, "Nothing was pasted"},
		"a sentence":           {"npx some-server", 1, "no server"},
		"no server":            {`{"theme": "dark"}`, 1, "There is no server"},
		"an empty map":         {"{\n\"mcpServers\": {}}", 2, "There is no server in this yet"},
		"an empty list":        {"[]", 1, "The list is empty"},
		"a list of words":      {"- npx\n- uvx\n", 1, "neither a command nor a url"},
		"a server as a word":   {"{\"mcpServers\": {\n\"a\": \"npx\"}}", 2, `"a" is no server`},
		"TOML":                 {"[mcp_servers.github]\nurl = \"https://a.example\"", 1, "TOML"},
		"an open brace":        {"{\"mcpServers\": {\n\"a\": {\"command\": \"x\"}\n", 3, "never closed"},
		"an open quote":        {"{\"mcpServers\": {\n\"a\": {\"command\": \"x}}}\n", 2, "not closed on its line"},
		"a missing comma":      {"{\"a\": {\"command\": \"x\"\n\"args\": []}}", 2, "comma is missing"},
		"a missing colon":      {"{\"a\" {\"command\": \"x\"}}", 1, "colon"},
		"two blocks":           {"{\"a\": {\"command\": \"x\"}}\n{\"b\": {\"command\": \"x\"}}", 2, "Something follows"},
		"an open comment":      {"{ /* \n", 1, "comment is opened"},
		"a word":               {"{\"a\": {\"command\":\n @nope}}", 2, "no JSON value"},
		"a bad escape":         {`{"a": {"command": "C:\programs\x"}}`, 1, "escape"},
		"a NUL in a text":      {`{"a": {"command": "x\u0000"}}`, 1, "NUL"},
		"a NUL in YAML":        {"a:\n  command: \"x\\0\"\n", 2, "NUL"},
		"a NUL":                {"\na: \x00", 2, "NUL"},
		"a key twice":          {"{\"a\": {\"command\": \"x\",\n\"command\": \"y\"}}", 2, "second time"},
		"a YAML key twice":     {"a:\n  command: x\n  command: y\n", 3, "second time"},
		"two YAML documents":   {"a: {command: x}\n---\nb: {command: x}\n", 2, "second YAML document"},
		"a tab in YAML":        {"a:\n\tcommand: x\n", 2, "tab"},
		"a YAML list as a key": {"[a, b]: {command: x}\nc: {command: x}\n", 1, ""},
		"too deep":             {deep, 1, "nested more than"},
		"aliases that grow":    {bomb, 0, "once its aliases are followed"},
		"an anchor in itself":  {"a: &a\n  command: [*a]\n", 0, ""},
		"bytes":                {"\xff\xfe{", 1, "UTF-8"},
		"too large":            {strings.Repeat(" ", paste.MaxText+1), 1, "1 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			entries, err := paste.Read([]byte(c.text))
			problems, ok := errors.AsType[document.Problems](err)
			if !ok || len(problems) != 1 || entries != nil {
				t.Fatalf("got %v, %v", entries, err)
			}
			if p := problems[0]; !strings.Contains(p.Says, c.says) || c.line != 0 && p.Line != c.line {
				t.Errorf("says %q on line %d, want %q on line %d", p.Says, p.Line, c.says, c.line)
			}
		})
	}
}
