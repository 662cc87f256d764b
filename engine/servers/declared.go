package servers

import (
	"context"
	"encoding/json"
	"fmt"

	"crewlet/config/document"
	"crewlet/db"
)

// standing is what one revision declares. It never changes.
type standing struct {
	revision int64
	doc      *document.Document
	ids      map[string]string // name of a server to its id
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

// keep holds the newest declarations for those who read.
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

const declaredBy = `SELECT text, ids::text AS ids FROM revisions WHERE id = $1`

// declaredAt is what a revision declares, in the reader's own snapshot. It is
// read only when this node has not yet applied it: from the transaction, since
// one that waits for a second connection can starve the pool.
func (s *Servers) declaredAt(ctx context.Context, tx *db.Tx, revision int64) (*standing, error) {
	if held := s.kept(); held != nil && held.revision == revision {
		return held, nil
	}
	if revision == 0 {
		return &standing{doc: &document.Document{}}, nil
	}
	var row struct {
		Text string `db:"text"`
		IDs  string `db:"ids"`
	}
	if err := tx.GetContext(ctx, &row, declaredBy, revision); err != nil {
		return nil, fmt.Errorf("read revision %d: %w", revision, err)
	}
	doc, problems := document.Parse([]byte(row.Text))
	if err := problems.Or(); err != nil {
		return nil, fmt.Errorf("revision %d cannot be read by this version: %w", revision, err)
	}
	var ids struct {
		Servers map[string]string `json:"servers"`
	}
	if err := json.Unmarshal([]byte(row.IDs), &ids); err != nil {
		return nil, fmt.Errorf("read the ids of revision %d: %w", revision, err)
	}
	now := &standing{revision: revision, doc: doc, ids: ids.Servers}
	s.keep(now)
	return now, nil
}
