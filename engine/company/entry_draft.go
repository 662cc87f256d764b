package company

import (
	"context"
	"encoding/json"
	"fmt"

	"crewlet/config/document"
	"crewlet/db"
)

// Drafted is what a declaration would be with the document in force around it,
// checked as a write of it is checked and stored nowhere. A name that is
// declared already is taken for an edit of it.
func (s *Company) Drafted(ctx context.Context, d *db.DB, name string, entry json.RawMessage) (*document.Server, error) {
	in := PutServer{Name: name, Entry: entry, Writing: Writing{DryRun: true}}
	whole, err := in.entry()
	if err != nil {
		return nil, err
	}
	now, err := newest(ctx, d)
	if err != nil {
		return nil, err
	}
	at, count, err := locate(now, name)
	if err != nil {
		return nil, err
	}
	edit := document.Edit{Op: "replace", Path: fmt.Sprintf("/mcp_servers/%d", at), Value: whole}
	if at < 0 {
		at, edit = count, document.Edit{Op: "add", Path: "/mcp_servers/-", Value: whole}
	}
	next, err := in.draft(now, at, edit)
	if err != nil {
		return nil, err
	}
	doc, err := check(next, in.Writing)
	if err != nil {
		return nil, err
	}
	return &doc.MCPServers[at], nil
}
