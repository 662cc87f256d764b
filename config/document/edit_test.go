package document_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"crewlet/config/document"
)

var update = flag.Bool("update", false, "write the golden texts of the edits anew")

func indexOf(t *testing.T, text []byte, name string) string {
	t.Helper()
	for i, s := range parse(t, string(text)).MCPServers {
		if s.Name == name {
			return strconv.Itoa(i)
		}
	}
	t.Fatalf("no server %s in\n%s", name, text)
	return ""
}

// edits are made on every awkward text. Those without servers get some first.
func edits(t *testing.T, text []byte) map[string][]document.Edit {
	files, code := indexOf(t, text, "files"), indexOf(t, text, "code")
	return map[string][]document.Edit{
		"insert":         {{Op: "add", Path: "/mcp_servers/-", Value: everything()}},
		"insert_first":   {{Op: "add", Path: "/mcp_servers/0", Value: map[string]any{"command": "first-mcp", "name": "first"}}},
		"insert_between": {{Op: "add", Path: "/mcp_servers/" + code, Value: map[string]any{"name": "between", "command": "b"}}},
		"replace": {{Op: "replace", Path: "/mcp_servers/" + code, Value: map[string]any{
			"name": "code", "command": "/opt/code", "args": []string{"--port", "8080", "yes"}, "env": map[string]string{"LANG": "C", "NOTE": "two\nlines\n"}, "timeout": 90,
		}}},
		"replace_value": {{Op: "replace", Path: "/mcp_servers/" + files + "/command", Value: "/usr/local/bin/npx"}},
		"rename":        {{Op: "rename", Path: "/mcp_servers/" + files, Name: "office-files"}},
		"rename_key":    {{Op: "rename", Path: "/mcp_servers/" + files + "/env/TOKEN", Name: "API_TOKEN"}},
		"delete":        {{Op: "remove", Path: "/mcp_servers/" + code}},
		"delete_key":    {{Op: "remove", Path: "/mcp_servers/" + files + "/env"}},
		"delete_last":   {{Op: "remove", Path: "/mcp_servers/" + files + "/env/TOKEN"}},
		"two_edits": {
			{Op: "add", Path: "/mcp_servers/" + code + "/enabled", Value: false},
			{Op: "add", Path: "/callers/tokens/bot/may/start", Value: "all"},
		},
	}
}

func everything() document.Server {
	yes := true
	s := document.NewServer()
	s.Name, s.Command, s.Args = "everything", "npx", []string{"-y", "@modelcontextprotocol/server-everything"}
	s.Env = map[string]string{"TOKEN": "${EVERYTHING_TOKEN}", "A": "plain: not"}
	s.OptionalKeys = []string{"TOKEN"}
	s.ToolAnnotations = map[string]document.Hints{"echo": {ReadOnly: &yes}}
	s.Tools.Exclude = []string{"long*"}
	s.Timeout = document.Duration(90 * time.Second)
	s.Trust = "pin"
	return s
}

func TestApplyOverAwkwardTexts(t *testing.T) {
	texts, err := filepath.Glob("testdata/edit/*.in.yaml")
	if err != nil || len(texts) == 0 {
		t.Fatalf("no texts: %v", err)
	}
	for _, path := range texts {
		name := strings.TrimSuffix(filepath.Base(path), ".in.yaml")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if len(parse(t, string(text)).MCPServers) == 0 {
				text = fill(t, text, strings.TrimSuffix(path, ".in.yaml")+".filled.golden.yaml")
			}
			for op, list := range edits(t, text) {
				t.Run(op, func(t *testing.T) {
					golden(t, text, list, strings.TrimSuffix(path, ".in.yaml")+"."+op+".golden.yaml")
				})
			}
		})
	}
}

func fill(t *testing.T, text []byte, path string) []byte {
	return golden(t, text, []document.Edit{
		{Op: "add", Path: "/mcp_servers/-", Value: map[string]any{"name": "files", "command": "npx", "env": map[string]string{"TOKEN": "${FILES_TOKEN}"}}},
		{Op: "add", Path: "/mcp_servers/-", Value: map[string]any{"name": "code", "command": "code-mcp"}},
	}, path)
}

// golden compares an edited text with the one kept; a refusal is kept too.
func golden(t *testing.T, text []byte, list []document.Edit, path string) []byte {
	t.Helper()
	got, err := document.Apply(text, list...)
	if err != nil {
		got = []byte("refused: " + err.Error() + "\n")
	} else if _, problems := document.Parse(got); len(problems) > 0 {
		t.Errorf("the result is no company:\n%v\n%s", problems, got)
	}
	if *update {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	return got
}
