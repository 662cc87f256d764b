package servers

import (
	"crewlet/config/document"
	"crewlet/engine/company"
)

// standing is what one revision declares. It never changes.
type standing struct {
	revision int64
	doc      *document.Document
	ids      map[string]string // name of a server to its id
}

func standingOf(now *company.Standing) *standing {
	return &standing{revision: now.ID, doc: now.Document, ids: now.IDs.Servers}
}

// order lists the declared servers for naming their tools, as they stand in
// the document.
func (d *standing) order() []declared {
	list := make([]declared, 0, len(d.doc.MCPServers))
	for i := range d.doc.MCPServers {
		entry := &d.doc.MCPServers[i]
		list = append(list, declared{ID: d.ids[entry.Name], Name: entry.Name, Prefix: entry.ToolPrefix})
	}
	return list
}

// entry is the declaration of a server by its id; nil when there is none.
func (d *standing) entry(id string) *document.Server {
	for i := range d.doc.MCPServers {
		if d.ids[d.doc.MCPServers[i].Name] == id {
			return &d.doc.MCPServers[i]
		}
	}
	return nil
}

// keep holds the declarations applied last, for naming what is listed.
func (s *Servers) keep(now *standing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.standing == nil || s.standing.revision < now.revision {
		s.standing = now
	}
}

func (s *Servers) kept() *standing {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.standing
}
