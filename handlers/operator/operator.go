// Package operator is the catalogue over plain HTTP: every write at
// POST /operator/act/{tool}, every read at GET /api/v1/tools/{tool}, and the
// description of both. What a caller may do is decided where the tool runs.
package operator

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"crewlet/config/nearest"
	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// Handlers serve the catalogue.
type Handlers struct {
	run      *tool.Runner
	tools    map[string]tool.Tool
	document func() []byte
}

// New makes handlers of every tool there is.
func New(run *tool.Runner, tools []tool.Tool) *Handlers {
	h := &Handlers{run: run, tools: map[string]tool.Tool{}}
	for _, t := range tools {
		h.tools[t.Name] = t
	}
	h.document = sync.OnceValue(h.written)
	return h
}

// Addresses of the two doors, without the tool's name.
const (
	actAddress  = "/operator/act/"
	readAddress = "/api/v1/tools/"
)

// find is the tool of a name. What is not there is told by the name it may be.
func (h *Handlers) find(name string) (tool.Tool, error) {
	if t, ok := h.tools[name]; ok {
		return t, nil
	}
	says := "There is no tool of this name."
	if near := nearest.Name(name, h.published()); near != "" {
		says = fmt.Sprintf("There is no tool of this name; did you mean %q?", near)
	}
	return tool.Tool{}, refusal.NotFound.Say("%s", says)
}

// published are the names that callers may learn, in order.
func (h *Handlers) published() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(h.tools)), func(name string) bool { return !offered(h.tools[name]) })
}

// offered reports whether a tool has a place here. What the engine does by
// itself has none, nor what nobody has to be somebody for: signing in ends in a
// cookie, and takes the caller's address from the page's own handler.
func offered(t tool.Tool) bool {
	return t.Access.Rule != access.RuleEngine && t.Access.Rule != access.RuleOpen
}
