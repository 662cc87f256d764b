package document_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"crewlet/config/document"
)

func TestApplyRefuses(t *testing.T) {
	const text = "name: A\nmcp_servers:\n- &s\n  name: a\n  command: b\n  env: &e {T: hunter2}\n- {name: c, command: d, env: *e}\nroles: []\n? asked\n: x\n"
	for name, c := range map[string]struct {
		edit document.Edit
		says string
	}{
		"no pointer":          {document.Edit{Op: "remove", Path: "name"}, "no pointer"},
		"another word":        {document.Edit{Op: "move", Path: "/name"}, "add, replace, remove or rename"},
		"nothing there":       {document.Edit{Op: "remove", Path: "/mission"}, "no key \"mission\""},
		"nearly there":        {document.Edit{Op: "replace", Path: "/nam", Value: "x"}, "Did you mean name?"},
		"past the end":        {document.Edit{Op: "remove", Path: "/mcp_servers/2"}, "which has 2"},
		"the end":             {document.Edit{Op: "remove", Path: "/mcp_servers/-"}, "no entry"},
		"a leading zero":      {document.Edit{Op: "remove", Path: "/mcp_servers/00"}, "no entry"},
		"below zero":          {document.Edit{Op: "remove", Path: "/mcp_servers/-1"}, "no entry"},
		"added far away":      {document.Edit{Op: "add", Path: "/mcp_servers/3", Value: "x"}, "no entry"},
		"added twice":         {document.Edit{Op: "add", Path: "/name", Value: "x"}, "there already"},
		"into a text":         {document.Edit{Op: "add", Path: "/name/x", Value: "x"}, "neither a map nor a list"},
		"a name without one":  {document.Edit{Op: "rename", Path: "/mcp_servers/0"}, "no new name"},
		"a name that is used": {document.Edit{Op: "rename", Path: "/name", Name: "roles"}, "there already"},
		"no value":            {document.Edit{Op: "add", Path: "/mission", Value: math.NaN()}, "cannot be written"},
		"no JSON":             {document.Edit{Op: "add", Path: "/mission", Value: json.RawMessage(`{"a":1`)}, "not JSON"},
		"two values":          {document.Edit{Op: "add", Path: "/mission", Value: json.RawMessage(`1 2`)}, "something follows"},
		"one key twice":       {document.Edit{Op: "add", Path: "/mission", Value: json.RawMessage(`{"a":1,"a":2}`)}, "twice"},
		"through an alias":    {document.Edit{Op: "remove", Path: "/mcp_servers/1/env/T"}, "written once on line 6"},
		"inside an anchor":    {document.Edit{Op: "add", Path: "/mcp_servers/0/env/X", Value: "x"}, "used again on line 7"},
		"an anchor's end":     {document.Edit{Op: "remove", Path: "/mcp_servers/0"}, "used again on line 7"},
		"deep":                {document.Edit{Op: "add", Path: "/mission", Value: json.RawMessage(strings.Repeat("[", 100) + strings.Repeat("]", 100))}, "too deeply"},
		"an explicit key":     {document.Edit{Op: "replace", Path: "/asked", Value: "x"}, "cannot be changed here. Change it in the text editor, on line 1."},
		"a place too deep":    {document.Edit{Op: "add", Path: strings.Repeat("/a", 200), Value: 1}, "cannot be changed here"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := document.Apply([]byte(text), c.edit)
			refused, ok := errors.AsType[*document.EditError](err)
			if !ok || got != nil || !strings.Contains(refused.Says, c.says) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
	t.Run("no YAML", func(t *testing.T) {
		_, err := document.Apply([]byte("name: [A"), document.Edit{Op: "remove", Path: "/name"})
		if _, ok := errors.AsType[document.Problems](err); !ok {
			t.Errorf("got %v", err)
		}
	})
}

func TestApplyAtOnePlace(t *testing.T) {
	const block = "name: A\nmcp_servers:\n- name: a\n  command: b\n  args:\n  - x # one\n  # two\n  - y\n"
	applies(t, map[string]applied{
		"an empty text":         {"", document.Edit{Op: "add", Path: "/name", Value: "A"}, "name: A\n"},
		"a text of comments":    {"# only\n", document.Edit{Op: "add", Path: "/mcp_servers/-", Value: map[string]string{"name": "a"}}, "# only\nmcp_servers:\n  - name: a\n"},
		"the last key":          {"# a\nname: A # b\n", document.Edit{Op: "remove", Path: "/name"}, "# a\n"},
		"the last server":       {"name: A\nmcp_servers: # mine\n  - name: a\n    command: b\n# end\n", document.Edit{Op: "remove", Path: "/mcp_servers/0"}, "name: A\nmcp_servers: [] # mine\n# end\n"},
		"a first key of a dash": {block, document.Edit{Op: "remove", Path: "/mcp_servers/0/name"}, strings.Replace(block, "name: a\n  command", "command", 1)},
		"an argument":           {block, document.Edit{Op: "replace", Path: "/mcp_servers/0/args/0", Value: "-z"}, strings.Replace(block, "x #", "\"-z\" #", 1)},
		"an argument between":   {block, document.Edit{Op: "add", Path: "/mcp_servers/0/args/1", Value: "w"}, strings.Replace(block, "# one\n", "# one\n  - w\n", 1)},
		"an argument taken out": {block, document.Edit{Op: "remove", Path: "/mcp_servers/0/args/0"}, strings.Replace(block, "  - x # one\n", "", 1)},
		"the last argument":     {block, document.Edit{Op: "remove", Path: "/mcp_servers/0/args/1"}, strings.Replace(block, "  - y\n", "", 1)},
		"an argument of lines":  {block, document.Edit{Op: "replace", Path: "/mcp_servers/0/args/1", Value: "p\nq"}, strings.Replace(block, "- y", "- |-\n    p\n    q", 1)},
		"an argument of maps":   {block, document.Edit{Op: "replace", Path: "/mcp_servers/0/args/1", Value: map[string]int{"k": 1, "a": 2}}, strings.Replace(block, "- y", "- a: 2\n    k: 1", 1)},
		"a list for a text":     {block, document.Edit{Op: "replace", Path: "/mcp_servers/0/command", Value: []any{map[string]any{"a": nil}, []string{}}}, strings.Replace(block, "command: b", "command:\n  - a: null\n  - []", 1)},
		"a text for a list":     {block, document.Edit{Op: "replace", Path: "/mcp_servers/0/args", Value: true}, "name: A\nmcp_servers:\n- name: a\n  command: b\n  args: true\n"},
	})
}

func TestApplyInsideALine(t *testing.T) {
	applies(t, map[string]applied{
		"a key with a slash":     {"callers: {tokens: {}}\n", document.Edit{Op: "add", Path: "/callers/tokens/a~1b~0", Value: 1.5}, "callers: {tokens: {\"a/b~\": 1.5}}\n"},
		"a value that is null":   {"name: A\nmission: ~ # none\n", document.Edit{Op: "replace", Path: "/mission", Value: "x"}, "name: A\nmission: x # none\n"},
		"a value that is absent": {"name: A\nmission: # none\n", document.Edit{Op: "replace", Path: "/mission", Value: "x"}, "name: A\nmission: x # none\n"},
		"lines for a text":       {"mission: x # why\nname: A", document.Edit{Op: "replace", Path: "/mission", Value: "a\n\n  # b\nc\n"}, "mission: \"a\\n\\n  # b\\nc\\n\" # why\nname: A"},
		"plain lines":            {"mission: x # why\nname: A", document.Edit{Op: "replace", Path: "/mission", Value: "a\n\n# b\n"}, "mission: | # why\n  a\n\n  # b\nname: A"},
		"over several lines":     {"mission: x\n  y\n\n  z # why\nname: A\n", document.Edit{Op: "replace", Path: "/mission", Value: "w"}, "mission: w # why\nname: A\n"},
		"nested dashes":          {"a:\n- - b\n  - c\n- d\n", document.Edit{Op: "remove", Path: "/a/0/0"}, "a:\n- - c\n- d\n"},
		"an anchor on a key":     {"a: &x\n  b: 1\nc: 2\n", document.Edit{Op: "replace", Path: "/a", Value: "d"}, "a: d\nc: 2\n"},
		"a pair in a list":       {"a: [b: 1, c]\n", document.Edit{Op: "replace", Path: "/a/0/b", Value: 2}, "a: [b: 2, c]\n"},
		"a quoted key":           {"'it''s': 1\n", document.Edit{Op: "rename", Path: "/it's", Name: "that's"}, "'that''s': 1\n"},
		"a set of words":         {"a: {b, c}\n", document.Edit{Op: "replace", Path: "/a/b", Value: 2}, "a: {b: 2, c}\n"},
		"a gap between braces":   {"a: {b: , c: 1}\n", document.Edit{Op: "replace", Path: "/a/b", Value: "x"}, "a: {b: x , c: 1}\n"},
		"a first of a line":      {"a: [b,\n  c]\n", document.Edit{Op: "add", Path: "/a/0", Value: "x"}, "a: [x, b,\n  c]\n"},
		"a closing on the line":  {"a: [\n  b,\n  c]\n", document.Edit{Op: "add", Path: "/a/-", Value: "x"}, "a: [\n  b,\n  c,\n  x]\n"},
		"two on a line":          {"a: [\n  b, c, # d\n]\n", document.Edit{Op: "add", Path: "/a/1", Value: "x"}, "a: [\n  b,\n  x, c, # d\n]\n"},
		"a comment in brackets":  {"a: [b, # one\n  c]\n", document.Edit{Op: "remove", Path: "/a/1"}, "a: [b, # one\n  ]\n"},
		"one of a pair":          {"a: [b, c]\n", document.Edit{Op: "remove", Path: "/a/0"}, "a: [c]\n"},
		"the only one":           {"a: [ b, ]\n", document.Edit{Op: "remove", Path: "/a/0"}, "a: [  ]\n"},
		"a digit for a depth":    {"a: |1\n   b\n  c\nd: 1\n", document.Edit{Op: "remove", Path: "/a"}, "d: 1\n"},
		"an empty block":         {"a: |\nd: 1\n", document.Edit{Op: "remove", Path: "/a"}, "d: 1\n"},
		"the last line of all":   {"a: 1\nb: 2", document.Edit{Op: "remove", Path: "/b"}, "a: 1"},
		"comments, no newline":   {"# only", document.Edit{Op: "add", Path: "/a", Value: 1}, "# only\na: 1"},
		"a list in a list":       {"a: 1\n", document.Edit{Op: "add", Path: "/b", Value: []any{[]any{map[string]any{"c": "d"}, "e"}}}, "a: 1\nb:\n  - - c: d\n    - e\n"},
		"words that are not":     {"a: []\n", document.Edit{Op: "replace", Path: "/a", Value: []string{"yes", "null", "1", "1.5e3", "2024-01-01", "0x1F", "~", "", " a", "a: b", "#a", "é", ".inf", "12:30"}}, "a:\n  - \"yes\"\n  - \"null\"\n  - \"1\"\n  - \"1.5e3\"\n  - \"2024-01-01\"\n  - \"0x1F\"\n  - \"~\"\n  - \"\"\n  - \" a\"\n  - \"a: b\"\n  - \"#a\"\n  - é\n  - \".inf\"\n  - \"12:30\"\n"},
		"a control character":    {"a: b\n", document.Edit{Op: "replace", Path: "/a", Value: "x\x7f\u0085\ufeff\x00"}, "a: \"x\\u007f\\u0085\\ufeff\\u0000\"\n"},
	})
}

// applied is a text, an edit of it, and the text afterwards.
type applied struct {
	text string
	edit document.Edit
	want string
}

func applies(t *testing.T, cases map[string]applied) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := document.Apply([]byte(c.text), c.edit)
			if err != nil || string(got) != c.want {
				t.Errorf("got %v\n%s\nwant\n%s", err, got, c.want)
			}
		})
	}
}
