package company

import (
	"context"
	"fmt"

	"crewlet/engine/access"
	"crewlet/engine/changes"
	"crewlet/engine/refusal"
	"crewlet/engine/tool"
)

// ReloadConfig asks every node to apply the document again.
type ReloadConfig struct{}

// Object names the document for the record.
func (ReloadConfig) Object() string { return Object }

// Reloaded says which revision is applied again.
type Reloaded struct {
	RevisionID int64 `json:"revision_id"`
}

func declareReloadConfig(s *Company) tool.Use[ReloadConfig, Reloaded] {
	return tool.Declare(tool.Spec{
		Name:     "reload_config",
		Title:    "Reload",
		Brief:    "Apply the same document again on every node, with the secrets as they are now; servers that are down are tried at once.",
		Access:   access.Operator(access.ConfigWrite).Sensitive(),
		Audience: tool.Operators,
		Hints:    tool.Hints{Idempotent: true},
	}, s.reloadConfig)
}

func (s *Company) reloadConfig(ctx context.Context, c *tool.Call, _ ReloadConfig) (Reloaded, error) {
	c.About(Object)
	var id int64
	if err := c.Tx.GetContext(ctx, &id, newestID); err != nil {
		return Reloaded{}, fmt.Errorf("read which revision is the newest: %w", err)
	}
	if id == 0 {
		return Reloaded{}, refusal.Conflict.Say("There is no company document yet; write one first.")
	}
	c.Changed("company.reloaded", Object, map[string]changes.Delta{"revision": {To: id}})
	return Reloaded{RevisionID: id}, nil
}
