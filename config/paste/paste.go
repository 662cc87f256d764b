// Package paste reads the server configurations of other MCP clients (Claude
// Desktop, Claude Code, Cursor, VS Code, Gemini CLI, Codex, agents with YAML
// files and our own entries) into entries of the company document, so that
// nobody types again what works elsewhere.
//
// Nothing is dropped in silence: what has no place here is listed, what was
// changed is told, and credentials written out are taken out of the entry and
// handed back apart, to be stored as secrets.
package paste

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"crewlet/config/document"
)

// Entry is one server that was found, ready to be shown in a form.
type Entry struct {
	Name     string          // legal, and unique among the entries read with it
	Server   document.Server // with the same name; not yet checked against the company
	Secrets  []Secret        // what Server refers to and must be stored first
	Homeless []string        // keys of the source that mean nothing here, such as tools.ttl
	Notes    []string        // what was understood differently from how it was written, a sentence each
}

// Secret is a value that was taken out of an entry, where ${Name} stands now.
type Secret struct {
	Name  string
	Key   string // the variable or header it stood in; "url", or auth.client_secret
	Value string // "" when the source asks for it, or held a placeholder
}

// MaxText is the most that is read, in bytes.
const MaxText = 1 << 20

// mostServers is how many entries one text may hold.
const mostServers = 200

// Read finds the servers in a text: JSON, with comments and trailing commas,
// or YAML. Where nothing can be read the error is a document.Problems, which
// knows the line; it never quotes a value.
func Read(text []byte) ([]Entry, error) {
	entries, err := read(text)
	if problems, ok := errors.AsType[document.Problems](err); ok {
		// YAML breaks lines at characters that no editor counts.
		problems[0].Line = min(problems[0].Line, bytes.Count(text, []byte("\n"))+1)
	}
	return entries, err
}

func read(text []byte) ([]Entry, error) {
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	found, err := find(root)
	if err != nil {
		return nil, err
	}
	if len(found.servers) > mostServers {
		return nil, problem(root.line, "There are %d servers in it; at most %d are read at once. Paste them in parts.", len(found.servers), mostServers)
	}
	names := newNames(text, found.inputs)
	entries := make([]Entry, 0, len(found.servers))
	for _, one := range found.servers {
		entries = append(entries, readEntry(one, names))
	}
	if says := found.beside(); says != "" {
		entries[0].Notes = append(entries[0].Notes, says)
	}
	return entries, nil
}

// parse reads the text into values, whichever of the two languages it is in.
func parse(text []byte) (*value, error) {
	if len(text) > MaxText {
		return nil, problem(1, "This is %d bytes long; at most 1 MiB is read. Paste the servers alone.", len(text))
	}
	if !utf8.Valid(text) {
		return nil, problem(1, "This is not text in UTF-8. Save the file as UTF-8 and paste it again.")
	}
	if at := bytes.IndexByte(text, 0); at >= 0 {
		return nil, problem(bytes.Count(text[:at], []byte("\n"))+1, "This holds a NUL character. Take it out.")
	}
	text = withoutFence(bytes.TrimPrefix(text, []byte("\ufeff")))
	first := bytes.TrimSpace(withoutComments(text))
	switch {
	case len(first) == 0:
		return nil, problem(1, `Nothing was pasted. Paste a block such as {"mcpServers": {"files": {"command": "npx", "args": ["-y", "some-server"]}}}.`)
	case bytes.HasPrefix(first, []byte("[mcp_servers.")):
		return nil, problem(1, "This is TOML, which is not read here. Write the server as JSON or YAML, or fill in the form.")
	case first[0] != '{' && first[0] != '[' && first[0] != '"':
		return readYAML(text)
	}
	root, err := readJSON(text)
	if err == nil {
		return root, nil
	}
	if root, wrong := readYAML(text); wrong == nil && root.kind != scalar {
		return root, nil // flow style: braces, and keys without quotes
	}
	return nil, err
}

// withoutFence blanks the lines of a Markdown fence around the text, so that
// every line keeps its number.
func withoutFence(text []byte) []byte {
	trimmed := bytes.TrimSpace(text)
	if !bytes.HasPrefix(trimmed, []byte("```")) {
		return text
	}
	lines := bytes.Split(text, []byte("\n"))
	for i, line := range lines {
		if bytes.HasPrefix(bytes.TrimSpace(line), []byte("```")) {
			lines[i] = nil
		}
	}
	return bytes.Join(lines, []byte("\n"))
}

func problem(line int, says string, args ...any) error {
	return document.Problems{{Line: max(line, 1), Column: 1, Says: fmt.Sprintf(says, args...)}}
}
