package company

import (
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"

	"crewlet/config/document"
)

// Declared is what a document says of one server, key by key as its authors
// wrote it; false when it declares no such server. Nothing is filled in.
func Declared(text, name string) (map[string]any, bool, error) {
	var doc struct {
		Servers []map[string]any `yaml:"mcp_servers"`
	}
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, false, fmt.Errorf("read the declaration of %s: %w", name, err)
	}
	for _, entry := range doc.Servers {
		if entry["name"] == name {
			return entry, true, nil
		}
	}
	return nil, false, nil
}

// Declaration is a server as a document would declare it: what is as usual is
// left out.
func Declaration(s document.Server) (map[string]any, error) {
	text, err := document.Apply([]byte("name: company\n"), document.Edit{Op: "add", Path: "/mcp_servers/-", Value: s})
	if err != nil {
		return nil, fmt.Errorf("write the declaration of %s: %w", s.Name, err)
	}
	entry, _, err := Declared(string(text), s.Name)
	return entry, err
}

// ParsedEntry reads keys of a declaration as people write them, and answers
// them as JSON can hold them.
func ParsedEntry(text string) (map[string]any, error) {
	var entry map[string]any
	if err := yaml.Unmarshal([]byte(text), &entry); err != nil {
		return nil, err
	}
	if _, err := json.Marshal(entry); err != nil {
		return nil, err
	}
	return entry, nil
}

// WrittenEntry is keys of a declaration as people write them; "" for none.
func WrittenEntry(entry map[string]any) (string, error) {
	if len(entry) == 0 {
		return "", nil
	}
	text, err := yaml.Marshal(entry)
	return string(text), err
}
