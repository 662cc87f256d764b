package company

import (
	"context"

	"crewlet/engine/access"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

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
