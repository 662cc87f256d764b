package door

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"crewlet/engine/access"
	"crewlet/engine/tool"
)

// entry is one tool of the surface.
type entry struct {
	tool    tool.Tool
	listed  mcp.Tool
	encoded []byte // listed, as it is sent
	offered bool   // false for what is done elsewhere: a call of it is refused in words
}

// may reports whether a caller is shown the tool now.
func (e entry) may(by access.Principal) bool {
	return e.offered && access.May(e.tool.Access, by) == nil
}

// entryOf describes a tool as MCP does. What cannot be carried is an error.
func entryOf(t tool.Tool) (entry, error) {
	e := entry{tool: t, offered: t.Audience&tool.Operators != 0}
	input, err := inputOf(t)
	if err != nil {
		return e, err
	}
	e.listed = mcp.Tool{
		Name: t.Name, Title: t.Title, Description: t.Brief, RawInputSchema: input, RawOutputSchema: json.RawMessage(answerSchema), Annotations: hints(t),
	}
	e.encoded, err = json.Marshal(e.listed)
	return e, err
}

// hints says what may be assumed, where it differs from what the protocol has
// a client assume.
func hints(t tool.Tool) mcp.ToolAnnotation {
	var h mcp.ToolAnnotation
	yes, no := true, false
	switch {
	case !t.Writes():
		h.ReadOnlyHint = &yes
	case !t.Hints.Destructive:
		h.DestructiveHint = &no
	}
	if t.Hints.Idempotent {
		h.IdempotentHint = &yes
	}
	if t.Writes() && !t.Hints.OpenWorld {
		h.OpenWorldHint = &no
	}
	return h
}

// mostLists is how many different lists are kept: as many as there are
// different rights among callers.
const mostLists = 200

// surface is the catalogue as it is listed.
type surface struct {
	offers  func(name string) bool
	mu      sync.Mutex
	entries map[string]entry
	order   []string          // names, as they are listed
	lists   map[string][]byte // by who may see which
}

func (s *surface) set(entries map[string]entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries, s.lists = entries, map[string][]byte{}
	s.order = slices.Sorted(maps.Keys(entries))
}

// list is what a caller may use now, as a member of the answer. It is kept for
// all who may use the same.
func (s *surface) list(by access.Principal) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	key, shown := make([]byte, len(s.order)), 0
	for i, name := range s.order {
		if s.offers(name) && s.entries[name].may(by) {
			key[i] = 1
			shown++
		}
	}
	if kept := s.lists[string(key)]; kept != nil {
		return kept
	}
	parts := make([][]byte, 0, shown)
	for i, name := range s.order {
		if key[i] == 1 {
			parts = append(parts, s.entries[name].encoded)
		}
	}
	if len(s.lists) >= mostLists {
		clear(s.lists)
	}
	list := slices.Concat([]byte(`"tools":[`), bytes.Join(parts, []byte(",")), []byte("]"))
	s.lists[string(key)] = list
	return list
}

// listed has the caller's own list stand in the answer. The library is left
// with an empty one: putting a long list in order and encoding it is what it
// would take its time for.
func (d *Door) listed(ctx context.Context, _ any, asked *mcp.ListToolsRequest, result *mcp.ListToolsResult) {
	result.Tools = []mcp.Tool{}
	if v := visitOf(ctx); asked.Params.Cursor == "" { // a list is one page: nothing is after it
		v.swap = swap{from: []byte(`"tools":[]`), to: d.surface.list(v.call.By)}
	}
}

// may reports whether a caller may use every one of these now.
func (s *surface) may(by access.Principal, names ...string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		if !s.offers(name) || !s.entries[name].may(by) {
			return false
		}
	}
	return true
}
