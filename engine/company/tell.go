package company

import (
	"maps"
	"reflect"
	"slices"

	"crewlet/config/document"
	"crewlet/engine/changes"
	"crewlet/engine/tool"
)

// tellServers logs each server that came, went, was renamed or is declared
// otherwise, by its id.
func tellServers(c *tool.Call, revision int64, was, now map[string]string, old, doc *document.Document) {
	names := flipped(was)
	in := changes.Delta{To: revision}
	for i := range doc.MCPServers {
		entry := &doc.MCPServers[i]
		id := now[entry.Name]
		before, had := names[id]
		switch {
		case !had:
			c.Changed("server.declared", "server:"+id, map[string]changes.Delta{"name": {To: entry.Name}, "revision": in})
		case before != entry.Name:
			c.Changed("server.renamed", "server:"+id, map[string]changes.Delta{"name": {From: before, To: entry.Name}, "revision": in})
		}
		if had && redeclared(old, before, entry) {
			c.Changed("server.revised", "server:"+id, map[string]changes.Delta{"name": {To: entry.Name}, "revision": in})
		}
	}
	tellGone(c, "server", was, now)
}

// tellSeats logs each seat that came, went or changed its handle.
func tellSeats(c *tool.Call, was, now map[string]string) {
	names := flipped(was)
	for _, handle := range slices.Sorted(maps.Keys(now)) {
		id := now[handle]
		switch before, had := names[id]; {
		case !had:
			c.Changed("seat.declared", "seat:"+id, map[string]changes.Delta{"handle": {To: handle}})
		case before != handle:
			c.Changed("seat.renamed", "seat:"+id, map[string]changes.Delta{"handle": {From: before, To: handle}})
		}
	}
	tellGone(c, "seat", was, now)
}

func tellGone(c *tool.Call, kind string, was, now map[string]string) {
	still := flipped(now)
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if _, here := still[was[name]]; !here {
			c.Changed(kind+".removed", kind+":"+was[name], map[string]changes.Delta{"name": {From: name}})
		}
	}
}

// redeclared reports whether an entry says something else than it did, its
// name and its place apart.
func redeclared(old *document.Document, before string, entry *document.Server) bool {
	was, ok := old.Server(before)
	if !ok {
		return true
	}
	a, b := *was, *entry
	a.Name, a.Line, b.Name, b.Line = "", 0, "", 0
	return !reflect.DeepEqual(a, b)
}

func flipped(names map[string]string) map[string]string {
	ids := make(map[string]string, len(names))
	for name, id := range names {
		ids[id] = name
	}
	return ids
}
