package company

import (
	"fmt"
	"strings"

	"crewlet/config/document"
)

// use is a place that names a server, as paths are told and as edits address
// it.
type use struct {
	path, pointer string
	key           bool // the name is a key of a map there, not a value
}

// renamed is the edit that makes the place name another server.
func (u use) renamed(to string) document.Edit {
	if u.key {
		return document.Edit{Op: "rename", Path: u.pointer, Name: to}
	}
	return document.Edit{Op: "replace", Path: u.pointer + "/server", Value: to}
}

// naming lists the places of the document in force that name a server: its
// mcp_env blocks, then the entries of allowlists.
func naming(now Revision, name string) ([]use, error) {
	doc, problems := document.Parse([]byte(now.Text))
	if len(problems) > 0 {
		return nil, misread(problems)
	}
	var uses []use
	for _, block := range doc.Credentials() {
		if block.Server == name {
			uses = append(uses, place(block.Path, true))
		}
	}
	for _, seat := range doc.Seats() {
		for i, t := range seat.Role.Tools {
			if t.Server == name {
				uses = append(uses, place(fmt.Sprintf("%s.tools[%d]", seat.Path, i), false))
			}
		}
	}
	return uses, nil
}

// place turns a path of plain keys and numbers into a JSON pointer.
func place(path string, key bool) use {
	return use{path: path, pointer: "/" + strings.NewReplacer("[", "/", "]", "", ".", "/").Replace(path), key: key}
}

func pathsOf(uses []use) []string {
	paths := make([]string, 0, len(uses))
	for _, u := range uses {
		paths = append(paths, u.path)
	}
	return paths
}
