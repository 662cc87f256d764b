package door

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
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
	mu      sync.Mutex
	entries map[string]entry
	lists   map[string][]byte // by who may see which
}

func (s *surface) set(entries map[string]entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries, s.lists = entries, map[string][]byte{}
}

// seen are those of the tools the caller is shown, in the same order; and a
// key that is the same for the same list.
func (s *surface) seen(by access.Principal, tools []mcp.Tool) ([]mcp.Tool, string) {
	seen := make([]mcp.Tool, 0, len(tools))
	key := make([]byte, len(tools))
	for i, t := range tools {
		if e, ours := s.entries[t.Name]; !ours || e.may(by) {
			seen, key[i] = append(seen, t), 1
		}
	}
	return seen, string(key)
}

// list encodes what the caller is shown of the tools, or finds it encoded.
func (s *surface) list(by access.Principal, tools []mcp.Tool) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen, key := s.seen(by, tools)
	if kept := s.lists[key]; kept != nil {
		return kept, nil
	}
	parts := make([][]byte, len(seen))
	for i, t := range seen {
		parts[i] = s.entries[t.Name].encoded
		if parts[i] == nil {
			var err error
			if parts[i], err = json.Marshal(t); err != nil {
				return nil, fmt.Errorf("encode the tool %s: %w", t.Name, err)
			}
		}
	}
	if len(s.lists) >= mostLists {
		clear(s.lists)
	}
	list := append(append([]byte("["), bytes.Join(parts, []byte(","))...), ']')
	s.lists[key] = list
	return list, nil
}

// listed leaves in a list what the caller may use now. The library is handed
// an empty one, and the encoded one goes past it: encoding it anew is what a
// long list costs.
func (d *Door) listed(ctx context.Context, _ any, asked *mcp.ListToolsRequest, result *mcp.ListToolsResult) {
	v := visitOf(ctx)
	list, err := d.surface.list(v.call.By, result.Tools)
	result.Tools = []mcp.Tool{}
	if err != nil {
		d.o.Log.ErrorContext(ctx, "tools_not_listed", "error", err)
		return
	}
	if asked.Params.Cursor == "" { // a list is one page: nothing is after it
		v.list = list
	}
}

// may reports whether a caller may use every one of these now.
func (s *surface) may(by access.Principal, names ...string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		if !s.entries[name].may(by) {
			return false
		}
	}
	return true
}
