package company

import (
	"context"
	"fmt"

	"crewlet/db"
	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// Begun reports whether there is a revision.
func (s *Company) Begun(ctx context.Context, d *db.DB) (bool, error) {
	var id int64
	if err := d.GetContext(ctx, &id, newestID); err != nil {
		return false, fmt.Errorf("read which revision is the newest: %w", err)
	}
	return id != 0, nil
}

// Untouched reports whether nobody has written the document since this
// revision, the one a first start made. Only such a one is written over by
// somebody who does not name it.
func (r Revision) Untouched() bool { return r.ID == 0 || r.Author == access.System().Key() }

// Import makes a text the first revision, written by the engine. Where there
// is a revision already, perhaps by another node this very moment, nothing is
// done and false is answered.
func (s *Company) Import(ctx context.Context, r *tool.Runner, text []byte, summary string) (bool, error) {
	rev, err := newest(ctx, r.DB)
	if err != nil || rev.ID != 0 {
		return false, err
	}
	call := &tool.Call{By: access.System(), Door: "engine"}
	_, err = tool.Do(ctx, r, s.WriteConfig, call, WriteConfig{Text: string(text), Writing: Writing{Summary: summary}})
	if no := refusal.Of(err); no != nil && no.Fields["if_match"] != "" {
		return false, nil // another node was first
	}
	return err == nil, err
}
